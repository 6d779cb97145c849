import ContrailGeodesy

// The compact form of an answer, version 1, for `Content-Type: application/vnd.contrail`:
//
//     0xC1, 1                  a byte that begins neither JSON nor gzip, and the version
//     flags                    1 follows, 2 sums of reports, 4 sums of PIREPs, 8 PIREPs, 16 traffic, 32 changes of traffic, 64 changes of
//                              reports and PIREPs (HeldRecords.swift), 128 repair (RecordSketch.swift)
//     number, number           the watermark in seconds since 1970, and the milliseconds after it
//     number                   the seconds from the followed watermark to this one, if flag 1
//     number, word             count and checksum of the reports, if flag 2; of the PIREPs, if flag 4
//     number, keys             if flag 128: number of held records to remove, and the key of each in six bytes
//     reports                  number of records, then columns: cells, ages, altitudes and severities, EDRs
//     PIREPs                   if flag 8: number of records, then the records
//     traffic                  if flag 16: number of records, then the records; if flag 32: the changes (TrafficChanges.swift)
//
// Reports are sorted by cell; the column of cells has the difference to the cell before. An age is the watermark less the time of
// observation, in seconds. Altitude (6 bits) and severity (3 bits) are one number: altitude + 64 × severity, with the altitude of
// the record before subtracted modulo 64, because neighbouring reports are often at one level.

extension ObservationsAnswer {
  /// The media type of the compact form.
  package static let compactType = "application/vnd.contrail"
  /// The first byte of the compact form.
  package static let compactMark: UInt8 = 0xC1
  private static let compactVersion: UInt8 = 1

  private struct Parts: OptionSet {
    let rawValue: UInt8
    static let follows = Parts(rawValue: 1)
    static let sums = Parts(rawValue: 2)
    static let pirepSums = Parts(rawValue: 4)
    static let pireps = Parts(rawValue: 8)
    static let traffic = Parts(rawValue: 16)
    static let trafficChanges = Parts(rawValue: 32)
    static let changes = Parts(rawValue: 64)
    static let repair = Parts(rawValue: 128)
    static let all: Parts = [.follows, .sums, .pirepSums, .pireps, .traffic, .trafficChanges, .changes, .repair]
  }

  /// Returns the response in the compact form.
  ///
  /// - Parameters:
  ///   - milliseconds: The milliseconds of the server's time after the watermark, 0…999.
  ///   - heldTraffic: The traffic that the client holds, if it is known; the answer then contains the changes to it.
  ///   - heldRecords: The records that the client holds of another area, if they are known; a full answer with sums then contains
  ///     the changes to them.
  ///   - keys: The keys of held records to remove, if the answer has the other changes only.
  /// - Complexity: O(*n* log *n*) in the records.
  package func compact(
    milliseconds: Int64, changing heldTraffic: [TrafficPosition] = [], and heldRecords: HeldRecords = HeldRecords(),
    removing keys: [UInt64]? = nil
  ) -> [UInt8] {
    var parts: Parts = keys == nil ? [] : .repair
    var (reports, pireps) = (reports, pireps)
    var areKept: (reports: [Bool], pireps: [Bool]) = ([], [])
    if !heldRecords.isEmpty, follows == nil, isWhole {
      parts.insert(.changes)
      (areKept.reports, reports) = heldRecords.changes(to: reports)
      (areKept.pireps, pireps) = heldRecords.changes(to: pireps)
    }
    if follows != nil { parts.insert(.follows) }
    if held != nil { parts.insert(.sums) }
    if heldPIREPs != nil { parts.insert(.pirepSums) }
    if !pireps.isEmpty { parts.insert(.pireps) }
    if let traffic {
      let isChange =
        !heldTraffic.isEmpty && TrafficPosition.isOrdered(heldTraffic) && TrafficPosition.isOrdered(traffic)
      parts.insert(isChange ? .trafficChanges : .traffic)
    }
    var compact = CompactWriter()
    compact.byte(Self.compactMark)
    compact.byte(Self.compactVersion)
    compact.byte(parts.rawValue)
    compact.number(UInt64(max(token, 0)))
    compact.number(UInt64(min(max(milliseconds, 0), 999)))
    if let follows { compact.signed(token - follows) }
    for sum in [held, heldPIREPs].compactMap({ $0 }) {
      compact.number(sum.count)
      compact.word(sum.checksum)
    }
    if let keys { compact.keys(keys) }
    compact.runs(areKept.reports)
    write(reports.sorted { $0.precedes($1) }, to: &compact)
    compact.runs(areKept.pireps)
    if parts.contains(.pireps) {
      compact.number(pireps.count)
      for pirep in pireps { pirep.write(to: &compact, token: token) }
    }
    if let traffic, parts.contains(.trafficChanges) {
      TrafficPosition.write(traffic, changing: heldTraffic, to: &compact, token: token)
    } else if let traffic {
      compact.number(traffic.count)
      for position in traffic { position.write(to: &compact, token: token) }
    }
    return compact.bytes
  }

  private func write(_ reports: [TurbulenceReport], to compact: inout CompactWriter) {
    compact.number(reports.count)
    var cell: UInt32 = 0
    for report in reports {
      compact.number(UInt64(report.cell - cell))
      cell = report.cell
    }
    for report in reports { compact.signed(token - Int64(report.observedAt)) }
    var altitude: UInt8 = 0
    for report in reports {
      compact.number(UInt64((report.altitude &- altitude) & 0x3F) | UInt64(report.severityCode) << 6)
      altitude = report.altitude
    }
    for report in reports { compact.number(UInt64(report.edrE4)) }
  }

  /// Creates a response from the compact form.
  ///
  /// - Parameters:
  ///   - bytes: The compact form.
  ///   - heldTraffic: The traffic that the request said is held.
  ///   - heldRecords: The records that the request said are held.
  /// - Returns: The response, and the milliseconds of the server's time after the watermark.
  /// - Throws: ``CompactError`` with the first invalid byte. Nothing is allocated that the bytes can't contain.
  /// - Complexity: O(*n*) in the bytes.
  package static func read(
    compact bytes: UnsafeRawBufferPointer, changing heldTraffic: [TrafficPosition] = [],
    and heldRecords: HeldRecords = HeldRecords()
  ) throws(CompactError) -> (answer: ObservationsAnswer, milliseconds: Int64) {
    var compact = CompactReader(bytes)
    guard try compact.byte() == compactMark else { throw CompactError(offset: 0, reason: "the answer isn't compact") }
    let version = try compact.byte()
    guard version == compactVersion else {
      throw CompactError(offset: 1, reason: "version \(version) is unknown; the newest known is \(compactVersion)")
    }
    let parts = Parts(rawValue: try compact.byte())
    guard parts.isSubset(of: .all), !parts.isSuperset(of: [.traffic, .trafficChanges]) else {
      throw CompactError(offset: 2, reason: "unknown parts \(parts.rawValue)")
    }
    guard !parts.contains(.changes) || parts.contains(.sums) && !parts.contains(.follows) else {
      throw CompactError(offset: 2, reason: "changes of records need sums, and a full answer")
    }
    guard !parts.contains(.repair) || parts.contains(.sums) && parts.isDisjoint(with: [.follows, .changes]) else {
      throw CompactError(offset: 2, reason: "a repair needs sums, and a full answer")
    }
    var answer = ObservationsAnswer(token: Int64(try compact.number(upTo: UInt64(UInt32.max), "watermark")))
    let milliseconds = Int64(try compact.number(upTo: 999, "milliseconds"))
    if parts.contains(.follows) {
      answer.follows = try compact.second(answer.token, "follows")
    }
    if parts.contains(.sums) { answer.held = try compact.sum() }
    if parts.contains(.pirepSums) { answer.heldPIREPs = try compact.sum() }
    if parts.contains(.repair) { (answer.reports, answer.pireps) = heldRecords.removing(try compact.keys()) }
    if parts.contains(.changes) { answer.reports = try compact.kept(of: heldRecords.reports) }
    answer.reports += try compact.reports(token: answer.token)
    if parts.contains(.changes) { answer.pireps = try compact.kept(of: heldRecords.pireps) }
    if parts.contains(.pireps) {
      for _ in 0..<(try compact.count(leastBytes: 8, "PIREPs")) {
        answer.pireps.append(try PIREP(from: &compact, token: answer.token))
      }
    }
    if !parts.isDisjoint(with: [.changes, .repair]) {
      answer.reports.sort { $0.precedes($1) }
      guard answer.isWhole else { throw compact.fault("the records aren't changes to those that are held") }
      // The log contains the answer as JSON, which isn't read otherwise.
      let newest = answer.reports.reduce(0) { max($0, Int64($1.observedAt)) }
      guard newest <= answer.token + maximumLeadSeconds else {
        throw compact.fault("a held report is newer than the watermark by more than an hour")
      }
    }
    if parts.contains(.traffic) {
      var traffic: [TrafficPosition] = []
      for _ in 0..<(try compact.count(leastBytes: 8, "positions")) {
        traffic.append(try TrafficPosition(from: &compact, token: answer.token))
      }
      answer.traffic = traffic
    }
    if parts.contains(.trafficChanges) {
      answer.traffic = try TrafficPosition.read(changing: heldTraffic, from: &compact, token: answer.token)
    }
    guard compact.isAtEnd else { throw compact.fault("the answer goes on after its end") }
    return (answer, milliseconds)
  }
}

extension ObservationsAnswer {
  /// Whether the sums of a full answer are those of its records.
  private var isWhole: Bool {
    let sum = HeldSum(count: reports.count, checksum: reports.reduce(0) { $0 &+ $1.digest })
    let pirepSum = HeldSum(count: pireps.count, checksum: pireps.reduce(0) { $0 &+ $1.digest })
    return held == sum && (heldPIREPs.map { $0 == pirepSum } ?? pireps.isEmpty)
  }
}

extension CompactReader {
  /// Reads a time, which is written as the number of seconds before the watermark.
  mutating func second(_ token: Int64, _ name: StaticString) throws(CompactError) -> Int64 {
    let (second, isOverflow) = token.subtractingReportingOverflow(try signed())
    guard !isOverflow, (0...Int64(UInt32.max)).contains(second) else {
      throw fault("'\(name)' is outside the years 1970 to 2106")
    }
    return second
  }

  fileprivate mutating func sum() throws(CompactError) -> HeldSum {
    HeldSum(count: Int(try number(upTo: UInt64(UInt32.max), "count")), checksum: try word())
  }

  fileprivate mutating func reports(token: Int64) throws(CompactError) -> [TurbulenceReport] {
    let count = try count(leastBytes: 4, "reports")
    var cells: [UInt32] = []
    cells.reserveCapacity(count)
    var cell: UInt64 = 0
    for _ in 0..<count {
      cell += try number(upTo: 0x3F_FFFF, "cell")
      guard cell <= 0x3F_FFFF, TurbulenceReport.isCell(cell) else { throw fault("'cell' isn't an H3 cell") }
      cells.append(UInt32(cell))
    }
    var times: [UInt32] = []
    times.reserveCapacity(count)
    for _ in 0..<count {
      let second = try second(token, "observedAt")
      guard second <= token + ObservationsAnswer.maximumLeadSeconds else {
        throw fault("a report is from the future: \(second), after \(token)")
      }
      times.append(UInt32(second))
    }
    var levels: [(altitude: UInt8, severity: UInt8)] = []
    levels.reserveCapacity(count)
    var altitude: UInt8 = 0
    for _ in 0..<count {
      let level = try number(upTo: 0x1FF, "level")
      altitude = (altitude &+ UInt8(level & 0x3F)) & 0x3F
      let severity = UInt8(level >> 6)
      guard altitude <= AltitudeBand.ceiling, TurbulenceSeverity(rawValue: severity) != nil else {
        throw fault("altitude \(altitude) or severity \(severity) is unknown")
      }
      levels.append((altitude, severity))
    }
    var reports: [TurbulenceReport] = []
    reports.reserveCapacity(count)
    for index in 0..<count {
      reports.append(
        TurbulenceReport(
          cell: cells[index], altitude: levels[index].altitude, severity: levels[index].severity,
          edrE4: UInt16(try number(upTo: UInt64(UInt16.max), "edr")), observedAt: times[index]))
    }
    return reports
  }

  fileprivate mutating func position() throws(CompactError) -> FixedCoordinate {
    FixedCoordinate(latitudeE7: try degrees(limit: 90), longitudeE7: try degrees(limit: 360))
  }
}

extension PIREP {
  fileprivate func write(to compact: inout CompactWriter, token: Int64) {
    compact.text(id)
    compact.degrees(position.latitudeE7)
    compact.degrees(position.longitudeE7)
    compact.optional(flightLevel)
    compact.optional(severity.map { Int($0.rawValue) })
    compact.byte(isUrgent ? 1 : 0)
    compact.signed(token - observedAt)
    compact.signed(updatedAt - observedAt)
    compact.text(text)
  }

  fileprivate init(from compact: inout CompactReader, token: Int64) throws(CompactError) {
    let id = try compact.text()
    let position = try compact.position()
    let flightLevel = try compact.optional(in: -20...1000, "flight level")
    let code = try compact.optional(in: 0...Int(UInt8.max), "severity")
    let severity = code.flatMap { TurbulenceSeverity(rawValue: UInt8($0)) }
    guard (code == nil) == (severity == nil) else { throw compact.fault("'severity' is unknown") }
    let isUrgent = try compact.number(upTo: 1, "urgent") == 1
    let observedAt = try compact.second(token, "observedAt")
    let (updatedAt, isOverflow) = observedAt.addingReportingOverflow(try compact.signed())
    guard !isOverflow, (0...Int64(UInt32.max)).contains(updatedAt) else {
      throw compact.fault("'updatedAt' is outside the years 1970 to 2106")
    }
    self.init(
      id: id, position: position, flightLevel: flightLevel, severity: severity, isUrgent: isUrgent,
      observedAt: observedAt, updatedAt: updatedAt, text: try compact.text())
  }
}

extension TrafficPosition {
  func write(to compact: inout CompactWriter, token: Int64) {
    compact.text(id)
    compact.text(callsign)
    compact.degrees(position.latitudeE7)
    compact.degrees(position.longitudeE7)
    compact.optional(altitudeFeet)
    compact.optional(groundSpeedKnots)
    compact.optional(trackDegrees)
    compact.signed(token - observedAt)
  }

  init(from compact: inout CompactReader, token: Int64) throws(CompactError) {
    self.init(
      id: try compact.text(), callsign: try compact.text(), position: try compact.position(),
      altitudeFeet: try compact.optional(in: -5_000...200_000, "alt"),
      groundSpeedKnots: try compact.optional(in: 0...5_000, "gs"),
      trackDegrees: try compact.optional(in: 0...360, "track"), observedAt: try compact.second(token, "observedAt"))
  }
}
