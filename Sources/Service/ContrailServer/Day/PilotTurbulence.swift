import ContrailWire

/// The turbulence in one PIREP, by thousands of feet.
struct PilotTurbulence: Sendable {
  /// The flight level of the aircraft in hundreds of feet, if it is known.
  let level: Int64?
  /// The maximum severity over all groups, or `nil` if there are none.
  private(set) var severity: TurbulenceSeverity?
  /// The maximum severity at each altitude, in thousands of feet.
  ///
  /// The maximum is used because decoders add a second group NEG for "IC NONE" after "TB LIGHT", and because "LGT
  /// OCNL MOD" has two groups for one place.
  private(set) var thousands: [UInt8: TurbulenceSeverity] = [:]

  init(level: Int64?) {
    self.level = level
  }

  /// Adds a group.
  ///
  /// A group with only a base refers to that level. A group with only a top extends from the aircraft's level to the
  /// top ("BLO 270"). A group with neither refers to the aircraft's level. A top of 0 is missing.
  ///
  /// - Parameters:
  ///   - severity: The severity.
  ///   - base: The base in hundreds of feet.
  ///   - top: The top in hundreds of feet.
  /// - Returns: The reason why the group has no or not all hexagons, or `nil` if it has all.
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

  /// Converts non-negative hundreds of feet to thousands, rounded.
  private static func thousands(_ hundreds: Int64) -> Int64 {
    (min(max(hundreds, 0), 10_000) + 5) / 10
  }

  /// Returns the strongest intensity in the group `/TB` of a report text, for feeds without decoded fields.
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
