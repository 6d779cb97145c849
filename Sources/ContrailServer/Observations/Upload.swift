#if Online
  import ContrailGeodesy
  import ContrailH3
  import ContrailWire

  /// The body of `POST /reports/v5`: `{"reports":[{"id":"85283473fffffff","alt":38,"sev":2,"edr":0.1121,"observedAt":1659530580}]}`.
  struct Upload: Sendable {
    var reports: [TurbulenceReport]

    /// The most reports that one upload may bring.
    static let maximumCount = 10_000
    /// By how many seconds a device's clock may be ahead of ours.
    static let clockTolerance: Int64 = 120

    /// Reads an upload; a report from the future is refused, since it would never expire.
    init(json bytes: UnsafeRawBufferPointer, now: Int64) throws(WireFault) {
      var reports: [TurbulenceReport]?
      do throws(JSONFault) {
        var json = JSONReader(bytes)
        try json.object { (key, json) throws(JSONFault) in
          guard case "reports" = key else {
            try json.skipValue()
            return
          }
          var list: [TurbulenceReport] = []
          try json.array { (json) throws(JSONFault) in
            guard list.count < Self.maximumCount else { throw json.fault("more than \(Self.maximumCount) reports") }
            list.append(try Self.report(&json, now: now))
          }
          reports = list
        }
        try json.end()
      } catch {
        throw WireFault.json(error)
      }
      guard let reports else { throw WireFault.missing("reports") }
      self.reports = reports
    }

    private static func report(_ json: inout JSONReader, now: Int64) throws(JSONFault) -> TurbulenceReport {
      var cell: UInt32?
      var altitude: UInt8?
      var severity: UInt8?
      var edr: UInt16 = 0
      var observedAt: UInt32?
      try json.object { (key, json) throws(JSONFault) in
        switch key {
        case "id":
          let text = try json.string()
          guard let index = UInt64(text, radix: 16), H3Cell.isValidResolution5(index) else {
            throw json.fault("'\(text)' is no H3 cell of resolution 5")
          }
          cell = UInt32(truncatingIfNeeded: index >> 30) & 0x3F_FFFF
        case "alt": altitude = try json.integer(in: 0...AltitudeBand.ceiling)
        case "sev": severity = try json.integer(in: 0...TurbulenceSeverity.moderateSevere.rawValue)
        case "edr":
          guard let value = UInt16(exactly: try json.scaled(by: 4)) else {
            throw json.fault("edr must be from 0 to 6.5535")
          }
          edr = value
        case "observedAt":
          let time: UInt32 = try json.integer(in: 0...UInt32.max)
          guard Int64(time) <= now + Self.clockTolerance else {
            throw json.fault("observedAt \(time) lies ahead of the server's time \(now)")
          }
          observedAt = time
        default: try json.skipValue()
        }
      }
      guard let cell, let altitude, let severity, let observedAt else {
        throw json.fault("a report needs id, alt, sev and observedAt")
      }
      return TurbulenceReport(cell: cell, altitude: altitude, severity: severity, edrE4: edr, observedAt: observedAt)
    }
  }

  extension ObservationService {
    /// Takes reports in that a client uploads; they arrive now.
    ///
    /// - Returns: How many of them are young enough to be of use.
    /// - Throws: 409 where the key came with another body within 30 days.
    func accept(_ upload: Upload, key: String, bodyDigest: UInt64, now: Int64) throws(ServiceError) -> Int {
      let observations = upload.reports.compactMap { report -> WorldEpoch.Observation? in
        guard let cell = H3Cell(packed22: report.cell), let centre = FixedCoordinate(cell.center) else { return nil }
        return WorldEpoch.Observation(report: report, centre: centre, arrival: now)
      }
      return try store(observations, key: key, bodyDigest: bodyDigest, now: now)
    }
  }
#endif
