#if Online
  import ContrailWire

  /// What one PIREP says of turbulence, by thousands of feet.
  struct PilotTurbulence: Sendable {
    /// The aircraft's own level in hundreds of feet, where it is known.
    let level: Int64?
    /// The most severe that is said of any level, known or not; nil where nothing is said.
    private(set) var severity: TurbulenceSeverity?
    /// The most severe that is said of each altitude, in thousands of feet.
    ///
    /// The most severe, because decoders add a second group NEG for "IC NONE" behind "TB LIGHT", and because "LGT OCNL MOD" is one
    /// place in two groups.
    private(set) var thousands: [UInt8: TurbulenceSeverity] = [:]

    init(level: Int64?) {
      self.level = level
    }

    /// Adds a group, its base and top in hundreds of feet.
    ///
    /// A group with a base alone is about that level; one with a top alone reaches from the aircraft's level up to it ("BLO 270"); one
    /// with neither is about the aircraft's level. A top of 0 is none.
    ///
    /// - Returns: Why it has no hexagon, or not all of them; nil where it has.
    mutating func add(_ severity: TurbulenceSeverity, base: Int64?, top: Int64?) -> DayOddity? {
      self.severity = max(self.severity ?? severity, severity)
      let top = top == 0 ? nil : top
      let ends: (Int64, Int64)
      switch (base, top) {
      case (let base?, let top?): ends = (min(base, top), max(base, top))
      case (let base?, nil): ends = (base, base)
      case (nil, let top?): ends = (min(level ?? top, top), top)
      case (nil, nil):
        guard let level else { return .turbulenceWithoutLevel }
        ends = (level, level)
      }
      let (low, high) = (Self.thousands(ends.0), Self.thousands(ends.1))
      let ceiling = Int64(AltitudeBand.ceiling)
      if low <= ceiling {
        for altitude in low...min(high, ceiling) {
          let altitude = UInt8(altitude)
          thousands[altitude] = max(thousands[altitude] ?? severity, severity)
        }
      }
      return high > ceiling ? .turbulenceTooHigh : nil
    }

    /// Hundreds of feet, zero or more, to the nearest thousand.
    private static func thousands(_ hundreds: Int64) -> Int64 {
      (min(max(hundreds, 0), 10_000) + 5) / 10
    }

    /// The strongest intensity that the group `/TB` of a report's text names, for feeds that don't decode it.
    static func intensity(inText text: String) -> String? {
      guard let start = text.firstRange(of: "/TB") else { return nil }
      let group = text[start.upperBound...].prefix { $0 != "/" }
      var strongest: (word: String, severity: TurbulenceSeverity)?
      for word in group.split(whereSeparator: { !$0.isLetter && $0 != "-" }) {
        guard let severity = TurbulenceSeverity(intensity: String(word)) else { continue }
        if severity > strongest?.severity ?? .none || strongest == nil { strongest = (String(word), severity) }
      }
      return strongest?.word
    }
  }
#endif
