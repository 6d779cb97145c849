package import ContrailWire

/// One line of a snapshot: a part of the state that fits in a line.
package enum SnapshotPart: Hashable, Sendable {
  /// All state that affects decisions, as JSON. This is the first part.
  case control([UInt8])
  case reports(ScopeID, [TurbulenceReport])
  case pireps(ScopeID, [PIREP])
  case traffic(ScopeID, [TrafficPosition])
  /// The GeoJSON of a polygon scope.
  case polygons(ScopeID, [UInt8])
  /// The weather service's response for a place.
  case weather(ScopeID, [UInt8])

  /// The maximum number of records in a line.
  package static let maximumRecords = 4096
}

/// The progress of reading a snapshot.
indirect enum SnapshotReading: Sendable, Equatable {
  /// The state is already known from earlier lines, so the snapshot is ignored.
  case repeated
  /// The state that the snapshot's parts are added to.
  case into(State)
}

extension State {
  /// The state as lines for the start of a segment; ``Mark/snapshotEnded`` follows them.
  ///
  /// - Complexity: O(*n* log *n*) in the records, which are written in sorted order.
  package var snapshotParts: [SnapshotPart] {
    var parts = [SnapshotPart.control(controlJSON)]
    func chunks<T>(_ records: [T], _ part: ([T]) -> SnapshotPart) {
      for start in stride(from: 0, to: records.count, by: SnapshotPart.maximumRecords) {
        parts.append(part(Array(records[start..<min(start + SnapshotPart.maximumRecords, records.count)])))
      }
    }
    for scope in scopes {
      chunks(scope.reports.sorted) { .reports(scope.id, $0) }
      chunks(scope.pireps.sorted) { .pireps(scope.id, $0) }
      chunks(scope.traffic) { .traffic(scope.id, $0) }
      if !scope.polygons.isEmpty { parts.append(.polygons(scope.id, scope.polygons)) }
      if !scope.weather.isEmpty { parts.append(.weather(scope.id, scope.weather)) }
    }
    return parts
  }

  mutating func evolve(_ mark: Mark) {
    switch mark {
    case .snapshotPart(let part): readSnapshot(part)
    case .snapshotEnded:
      guard case .into(let state) = snapshot.take() else { return }
      let (nextSeq, now) = (nextSeq, now)
      self = state
      self.nextSeq = nextSeq
      self.now = now
    case .segmentOpened, .stateDigested, .logSynced: break
    }
  }

  private mutating func readSnapshot(_ part: SnapshotPart) {
    if case .control(let bytes) = part {
      guard session == nil else {
        snapshot = .repeated
        return
      }
      var state = State()
      bytes.withUnsafeBytes { bytes in
        var json = JSONReader(bytes)
        // The part was validated when it was read from the log, so this can't fail.
        do throws(JSONError) { try state.readControl(&json) } catch {}
      }
      snapshot = .into(state)
      return
    }
    guard case .into(var state) = snapshot.take() else { return }
    state.add(part)
    snapshot = .into(state)
  }

  private mutating func add(_ part: SnapshotPart) {
    switch part {
    case .control: break
    case .reports(let id, let reports): update(id) { scope in reports.forEach { scope.records.reports.insert($0) } }
    case .pireps(let id, let pireps): update(id) { scope in pireps.forEach { scope.records.pireps.insert($0) } }
    case .traffic(let id, let traffic): update(id) { $0.records.traffic += traffic }
    case .polygons(let id, let bytes), .weather(let id, let bytes): update(id) { $0.document = bytes }
    }
  }
}

extension SnapshotPart {
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .control(let bytes):
      json.key("control")
      json.verbatim(bytes)
    case .reports(let scope, let reports):
      json.member("scope", scope.name)
      json.key("reports")
      json.array { json in
        for report in reports {
          json.value(report.packed)
          json.value(report.observedAt)
        }
      }
    case .pireps(let scope, let pireps):
      json.member("scope", scope.name)
      json.key("pireps")
      json.array { json in pireps.forEach { $0.write(to: &json) } }
    case .traffic(let scope, let traffic):
      json.member("scope", scope.name)
      json.key("traffic")
      json.array { json in traffic.forEach { $0.write(to: &json) } }
    case .polygons(let scope, let bytes):
      json.member("scope", scope.name)
      json.key("polygons")
      json.verbatim(bytes)
    case .weather(let scope, let bytes):
      json.member("scope", scope.name)
      json.key("weather")
      json.verbatim(bytes)
    }
  }

  init(_ members: Members) throws(EventError) {
    if let control = members.raw("control") {
      // Validate here, because the fold that applies the part cannot throw.
      _ = try members.required("control") { (json) throws(JSONError) -> Bool in
        var probe = State()
        try probe.readControl(&json)
        return true
      }
      self = .control(Array(control))
      return
    }
    let scope = try members.scope("scope")
    if let reports = try members.optional("reports", { (json) throws(JSONError) in try json.packedReports() }) {
      self = .reports(scope, reports)
    } else if let pireps = try members.optional(
      "pireps",
      { (json) throws(JSONError) -> [PIREP] in
        var pireps: [PIREP] = []
        try json.array { (json) throws(JSONError) in pireps.append(try PIREP(from: &json)) }
        return pireps
      })
    {
      self = .pireps(scope, pireps)
    } else if let traffic = try members.optional(
      "traffic",
      { (json) throws(JSONError) -> [TrafficPosition] in
        var traffic: [TrafficPosition] = []
        try json.array { (json) throws(JSONError) in traffic.append(try TrafficPosition(from: &json)) }
        return traffic
      })
    {
      self = .traffic(scope, traffic)
    } else if let polygons = members.raw("polygons") {
      self = .polygons(scope, Array(polygons))
    } else if let weather = members.raw("weather") {
      self = .weather(scope, Array(weather))
    } else {
      throw EventError.missing(kind: Kind.snapshotPart.rawValue, member: "reports")
    }
  }
}

extension JSONReader {
  /// Reads an array of pairs: a packed report and its time.
  mutating func packedReports() throws(JSONError) -> [TurbulenceReport] {
    var reports: [TurbulenceReport] = []
    var packed: UInt64?
    try array { (json) throws(JSONError) in
      if let bits = packed {
        let second = try json.int64(from: 0, to: Int64(UInt32.max))
        reports.append(TurbulenceReport(packed: bits, observedAt: UInt32(truncatingIfNeeded: second)))
        packed = nil
      } else {
        packed = UInt64(truncatingIfNeeded: try json.int64(from: 0, to: (1 << 47) - 1))
      }
    }
    guard packed == nil else { throw fault("the last report has no time") }
    return reports
  }
}
