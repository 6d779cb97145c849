import ContrailGeodesy
import ContrailH3
import ContrailLog
import ContrailWire

// The state as lines at the start of a segment, from which it continues without the segments before.

extension ServiceState {
  /// The number of areas in a part.
  private static let areasPerPart = 500

  /// Returns the payloads of the snapshot's parts.
  ///
  /// - Complexity: O(*n*) in the records.
  package func snapshotParts(at now: Int64) -> [[UInt8]] {
    var parts: [[UInt8]] = [
      part("head") { json in
        json.key("beginning")
        json.value(world.beginning)
        json.key("accepted")
        json.value(accepted)
        json.key("quarantined")
        json.object { json in
          for reason in ReportScreen.Reason.allCases {
            json.key(named: reason.rawValue)
            json.value(quarantined[reason] ?? 0)
          }
        }
      }
    ]
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) { parts.append(part(name, source)) }
    for (index, epoch) in world.epochs.sorted(by: { $0.key < $1.key }) { parts.append(part(epoch, index)) }
    for advisory in world.advisories { parts.append(part(advisory)) }
    for (source, snapshot) in world.snapshots.sorted(by: { $0.key < $1.key }) {
      parts.append(
        part("snapshot") { json in
          json.key("source")
          json.value(source)
          json.key("time")
          json.value(world.snapshotTimes[source] ?? 0)
          json.write(snapshot)
        })
    }
    for traffic in world.traffic { parts.append(part("traffic") { json in json.write(traffic) }) }
    for owner in uploads.parts(at: now / 1000) { parts.append(part(owner)) }
    let rings = rings
    for start in stride(from: 0, to: rings.count, by: Self.areasPerPart) {
      parts.append(
        part("areas") { json in
          json.key("rings")
          json.array { json in
            for ring in rings[start..<min(start + Self.areasPerPart, rings.count)] { json.write(ring.points) }
          }
        })
    }
    return parts
  }

  /// A digest of the state at a time. Equal states have equal digests.
  package func digest(at now: Int64) -> UInt64 { Digest.hash(snapshotParts(at: now).joined(separator: [10])) }

  private func part(_ name: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    ServiceLine.payload { json in
      json.key("part")
      json.value(name)
      body(&json)
    }
  }

  private func part(_ name: String, _ source: SourceState) -> [UInt8] {
    part("source") { json in
      json.key("source")
      json.value(name)
      json.optional("etag", source.entityTag)
      json.optional("modified", source.modified)
      json.optional("digest", source.digest.map { Hex.string($0) })
      json.optional("reason", source.failure)
      json.optional("kind", source.kind?.rawValue)
      json.key("reasons")
      json.object { json in
        for (oddity, count) in source.skippedByReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          json.key(named: oddity.rawValue)
          json.value(count)
        }
      }
      for (name, number) in source.numbers {
        guard let number else { continue }
        json.key(named: name)
        json.value(number)
      }
    }
  }

  private func part(_ epoch: WorldEpoch, _ index: Int64) -> [UInt8] {
    part("epoch") { json in
      json.key("index")
      json.value(index)
      json.key("reports")
      json.write(epoch.observations.lazy.map { ($0.report, $0.arrival) })
      json.key("pireps")
      json.array { json in for history in epoch.pireps { history.first.write(to: &json) } }
    }
  }

  private func part(_ listed: LiveWorld.ListedAdvisory) -> [UInt8] {
    let (advisory, area) = (listed.advisory, listed.advisory.area)
    return part("advisory") { json in
      json.key("source")
      json.value(listed.source)
      for (name, number) in [
        ("arrival", advisory.arrival), ("start", advisory.start), ("end", advisory.end),
        ("severity", Int64(area.severity.rawValue)), ("base", Int64(area.base)), ("top", Int64(area.top)),
        ("count", Int64(area.count)),
      ] {
        json.key(named: name)
        json.value(number)
      }
      json.optional("name", area.advisory)
      json.key("polygons")
      json.array { json in
        for polygon in area.polygons {
          json.array { json in
            json.write(polygon.outer)
            for hole in polygon.holes { json.write(hole) }
          }
        }
      }
    }
  }

  private func part(_ owner: UploadStore.Part) -> [UInt8] {
    part("owner") { json in
      json.key("owner")
      json.value(owner.owner)
      json.key("receipts")
      json.array { json in
        for receipt in owner.receipts {
          json.array { json in
            json.value(receipt.key)
            json.value(Hex.string(receipt.bodyDigest))
            json.value(receipt.answer.accepted)
            json.value(receipt.at)
            for report in receipt.answer.heldBack {
              json.value(report.report)
              json.value(report.reason?.rawValue ?? "")
            }
          }
        }
      }
      json.key("reports")
      json.write(owner.reports)
    }
  }
}

extension SourceState {
  fileprivate var numbers: [(String, Int64?)] {
    [
      ("askedAt", askedAt), ("answeredAt", answeredAt), ("changedAt", changedAt), ("newest", newestRecord),
      ("failures", Int64(failures)), ("notBefore", notBefore), ("answers", answers), ("failed", failuresInAll),
      ("records", records), ("skipped", skipped), ("day", day), ("requests", requestsOfDay),
      ("full", fullAnswers > 0 ? fullAnswers : nil), ("fullAt", fullAt),
    ]
  }

  fileprivate init(_ fields: SnapshotFields) {
    entityTag = fields.texts["etag"]
    modified = fields.texts["modified"]
    digest = fields.texts["digest"].flatMap { UInt64($0, radix: 16) }
    failure = fields.texts["reason"]
    kind = fields.texts["kind"].flatMap { DayKind(rawValue: $0) }
    askedAt = fields.numbers["askedAt"]
    answeredAt = fields.numbers["answeredAt"]
    changedAt = fields.numbers["changedAt"]
    newestRecord = fields.numbers["newest"]
    failures = Int(clamping: fields.numbers["failures"] ?? 0)
    notBefore = fields.numbers["notBefore"]
    answers = fields.numbers["answers"] ?? 0
    failuresInAll = fields.numbers["failed"] ?? 0
    records = fields.numbers["records"] ?? 0
    skipped = fields.numbers["skipped"] ?? 0
    for (reason, count) in fields.counts {
      if let oddity = DayOddity(rawValue: reason) { skippedByReason[oddity] = Int64(count) }
    }
    day = fields.numbers["day"] ?? 0
    requestsOfDay = fields.numbers["requests"] ?? 0
    fullAnswers = fields.numbers["full"] ?? 0
    fullAt = fields.numbers["fullAt"]
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ traffic: LiveWorld.Traffic) {
    key("arrival")
    value(traffic.arrival)
    key("positions")
    array { json in traffic.positions.forEach { $0.write(to: &json) } }
  }

  /// Writes reports as a flat list of packed form, time of observation and arrival.
  fileprivate mutating func write(_ reports: some Sequence<(report: TurbulenceReport, arrival: Int64)>) {
    array { json in
      for (report, arrival) in reports {
        json.value(report.packed)
        json.value(report.observedAt)
        json.value(arrival)
      }
    }
  }
}

// MARK: - Restoring

/// The members of a snapshot's part.
private struct SnapshotFields {
  var texts: [String: String] = [:]
  var numbers: [String: Int64] = [:]
  var counts: [String: Int] = [:]
  var reports: [(report: TurbulenceReport, arrival: Int64)] = []
  var pireps: [PIREP] = []
  var positions: [TrafficPosition] = []
  var polygons: [PlanePolygon] = []
  var receipts: [UploadStore.Part.Receipt] = []
  var rings: [Ring] = []

  init(_ payload: UnsafeRawBufferPointer) throws(JSONError) {
    var json = JSONReader(payload)
    try json.members { (key, json) throws(JSONError) in
      switch key {
      case "part", "source", "etag", "modified", "digest", "reason", "kind", "owner", "name":
        texts[key.string] = try json.string()
      case "quarantined", "reasons":
        try json.object { (key, json) throws(JSONError) in counts[key.string] = try json.integer(in: 0...Int.max) }
      case "reports": reports = try Self.reports(&json)
      case "pireps": try json.array { (json) throws(JSONError) in pireps.append(try PIREP(from: &json)) }
      case "positions":
        try json.array { (json) throws(JSONError) in positions.append(try TrafficPosition(from: &json)) }
      case "polygons": try json.array { (json) throws(JSONError) in polygons.append(try Self.polygon(&json)) }
      case "receipts": try json.array { (json) throws(JSONError) in receipts.append(try Self.receipt(&json)) }
      case "rings":
        try json.array { (json) throws(JSONError) in
          let points = try json.points()
          guard let ring = try? Ring(points.map { Optional($0) }) else { throw json.fault("invalid ring") }
          rings.append(ring)
        }
      default: numbers[key.string] = try json.int64()
      }
    }
  }

  private static func reports(_ json: inout JSONReader) throws(JSONError) -> [(
    report: TurbulenceReport, arrival: Int64
  )] {
    var numbers: [Int64] = []
    try json.array { (json) throws(JSONError) in numbers.append(try json.int64()) }
    guard numbers.count.isMultiple(of: 3) else { throw json.fault("a report isn't complete") }
    var reports: [(TurbulenceReport, Int64)] = []
    for index in stride(from: 0, to: numbers.count, by: 3) {
      guard let packed = UInt64(exactly: numbers[index]), let observedAt = UInt32(exactly: numbers[index + 1]) else {
        throw json.fault("invalid report")
      }
      reports.append((TurbulenceReport(packed: packed, observedAt: observedAt), numbers[index + 2]))
    }
    return reports
  }

  private static func polygon(_ json: inout JSONReader) throws(JSONError) -> PlanePolygon {
    var rings: [[FixedCoordinate]] = []
    try json.array { (json) throws(JSONError) in rings.append(try json.points()) }
    return PlanePolygon(outer: rings.first ?? [], holes: Array(rings.dropFirst()))
  }

  /// Reads a receipt: key, digest of the body, number of accepted reports and time, then index and reason of each report held back.
  private static func receipt(_ json: inout JSONReader) throws(JSONError) -> UploadStore.Part.Receipt {
    var texts: [String] = []
    var numbers: [Int64] = []
    try json.array { (json) throws(JSONError) in
      if json.isAtString { texts.append(try json.string()) } else { numbers.append(try json.int64()) }
    }
    guard texts.count >= 2, numbers.count == texts.count, let digest = UInt64(texts[1], radix: 16) else {
      throw json.fault("invalid receipt")
    }
    let heldBack = zip(numbers, texts).dropFirst(2).map { report, reason in
      UploadAnswer.HeldBack(report: Int(clamping: report), reason: UploadAnswer.Reason(rawValue: reason))
    }
    let answer = UploadAnswer(accepted: Int(clamping: numbers[0]), heldBack: heldBack)
    return .init(key: texts[0], bodyDigest: digest, answer: answer, at: numbers[1])
  }
}

extension ServiceState {
  mutating func restore(_ line: LogLine) throws(ServiceLineError) { try restore(line.payload) }

  /// Restores a part of a snapshot.
  mutating func restore(_ part: [UInt8]) throws(ServiceLineError) {
    let result = part.withUnsafeBytes { part in Result { () throws(ServiceLineError) in try restore(part) } }
    try result.get()
  }

  private mutating func restore(_ payload: UnsafeRawBufferPointer) throws(ServiceLineError) {
    do throws(JSONError) {
      try restore(try SnapshotFields(payload), payload)
    } catch {
      throw ServiceLineError(kind: "snapshot.part", reason: "isn't of a service's snapshot: \(error.reason)")
    }
  }

  private mutating func restore(
    _ fields: SnapshotFields, _ payload: UnsafeRawBufferPointer
  ) throws(JSONError) {
    func number(_ name: String) throws(JSONError) -> Int64 {
      guard let number = fields.numbers[name] else { throw JSONReader(payload).fault("'\(name)' is missing") }
      return number
    }
    let source = fields.texts["source"] ?? ""
    switch fields.texts["part"] {
    case "head":
      world.beginning = try number("beginning")
      accepted = try number("accepted")
      for reason in ReportScreen.Reason.allCases { quarantined[reason] = fields.counts[reason.rawValue] }
    case "source": sources[source] = SourceState(fields)
    case "epoch":
      world.restore(
        WorldEpoch(
          observations: fields.reports.compactMap { WorldEpoch.Observation($0.report, arrival: $0.arrival) },
          pireps: fields.pireps.map { PIREPHistory(first: $0, correction: nil) }), at: try number("index"))
    case "advisory":
      guard let severity = UInt8(exactly: try number("severity")).flatMap({ TurbulenceSeverity(rawValue: $0) }) else {
        throw JSONReader(payload).fault("invalid severity")
      }
      let area = PolygonsAnswer.Area(
        severity: severity, base: UInt8(clamping: try number("base")), top: UInt8(clamping: try number("top")),
        count: Int(clamping: try number("count")), polygons: fields.polygons, advisory: fields.texts["name"])
      world.restore(
        LiveWorld.ListedAdvisory(
          advisory: Advisory(
            area: area, arrival: try number("arrival"), start: try number("start"), end: try number("end")),
          source: source))
    case "snapshot":
      world.restore(
        .init(arrival: try number("arrival"), positions: fields.positions), of: source, time: try number("time"))
    case "traffic": world.restore(.init(arrival: try number("arrival"), positions: fields.positions))
    case "owner":
      uploads.restore(
        .init(owner: fields.texts["owner"] ?? "", receipts: fields.receipts, reports: fields.reports))
      for (report, arrival) in fields.reports {
        if let observation = WorldEpoch.Observation(report, arrival: arrival) { world.reportIndex.add(observation) }
      }
    case "areas": for ring in fields.rings { register(ring) }
    default: throw JSONReader(payload).fault("the part '\(fields.texts["part"] ?? "")' is unknown")
    }
  }
}
