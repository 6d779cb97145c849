import ContrailCore
import ContrailGeodesy
import ContrailWire

// The snapshot at the start of a log that was cut.

extension Redactor {
  mutating func redacted(_ part: SnapshotPart) -> SnapshotPart {
    switch part {
    case .control(let bytes): return .control(control(bytes))
    case .reports(let id, let reports):
      report.reports += reports.count
      return .reports(redacted(id), standIns.reports(nil, at: startSecond))
    case .pireps(let id, let pireps):
      report.pireps += pireps.count
      return .pireps(redacted(id), standIns.pireps(nil, at: startSecond))
    case .traffic(let id, let traffic):
      report.aircraft += traffic.count
      return .traffic(redacted(id), [])
    case .polygons(let id, _):
      return .polygons(redacted(id), Array(#"{"type":"FeatureCollection","features":[]}"#.utf8))
    case .weather(let id, _): return .weather(redacted(id), Array(#"{"status":"ok","result":{}}"#.utf8))
    }
  }

  private mutating func control(_ bytes: [UInt8]) -> [UInt8] {
    // A handle names the digest of its area, which follows from the moved ring.
    let (old, new) = (Self.state(bytes), Self.state(rewritten(bytes)))
    for (old, new) in zip(old.scopes, new.scopes) {
      for (old, new) in [
        (old.want, new.want), (old.have?.spec, new.have?.spec), (old.inFlight?.spec, new.inFlight?.spec),
      ] {
        if let old, let new { areas[old.areaDigest] = new.areaDigest }
      }
    }
    return rewritten(bytes)
  }

  private static func state(_ control: [UInt8]) -> State {
    var state = State()
    state.evolve(.snapshotPart(.control(control)), seq: 0, at: 0)
    state.evolve(.snapshotEnded, seq: 1, at: 0)
    return state
  }

  private mutating func rewritten(_ bytes: [UInt8]) -> [UInt8] {
    let tree = bytes.withUnsafeBytes { bytes -> JSONTree? in
      var json = JSONReader(bytes)
      return try? JSONTree(from: &json)
    }
    // A snapshot that was read from a log is valid JSON.
    guard let tree else { return Array("{}".utf8) }
    var json = JSONWriter()
    redacted(tree, named: "").write(to: &json)
    return json.bytes
  }

  /// Members whose values are milliseconds since 1970, unless they are 0, which says that there is none.
  private static let times: Set<String> = [
    "lastSuccess", "lastAttempt", "notBefore", "retryAfter", "deadline", "started", "confirm", "handlesLostAt",
  ]

  private mutating func redacted(_ value: JSONTree, named name: String) -> JSONTree {
    switch value {
    case .object(let members):
      if name == "session" { return session(members) }
      if name == "handle" { return handle(members) }
      if name == "airports" { return airports(value, named: name) }
      if name == "motion" { return motion(members) }
      if name == "bytes" { return budget(members) }
      if let waiting = failedWeather(members) { return waiting }
      return .object(members.map { ($0.name, redacted($0.value, named: $0.name)) })
    case .array(let elements):
      switch name {
      case "polygon", "viewport", "corridor", "ring": return points(value.integers ?? []) { $0.ring(for: $1) }
      case "route": return points(value.integers ?? []) { $0.line(for: $1) }
      case "reports": return reports(value.integers ?? [])
      case "places": return .array(elements.map { redacted($0, named: "place") })
      default: return .array(elements.map { redacted($0, named: "") })
      }
    case .integer(let number):
      if Self.times.contains(name) { return .integer(number == 0 ? 0 : shifted(number)) }
      return .integer(["watermark", "since"].contains(name) ? number + shiftSeconds : number)
    case .string(let text):
      switch name {
      case "language": return .string(self.choice(text, of: WeatherSpec.languages, "l"))
      case "unit": return .string(self.choice(text, of: WeatherSpec.units, "u"))
      case "etag": return .string(etag(text))
      case "handle": return .string(handle(text))
      case "key": return .string(key(text))
      case "id", "scope": return .string(ScopeID(name: text).map { redacted($0).name } ?? "")
      case "place":
        // A place of the weather; elsewhere, a place in the query such as `polygon[4]`.
        return .string(RoundedCoordinate(text).map { standIns.place(for: $0).key } ?? text)
      default: return value
      }
    case .other: return value
    }
  }

  private mutating func session(_ members: [(name: String, value: JSONTree)]) -> JSONTree {
    var session = Input.Session(engine: "", id: "", seed: 0)
    var seed = JSONTree.integer(0)
    for (name, value) in members {
      switch (name, value) {
      case ("engine", .string(let text)): session.engine = text
      case ("session", .string(let text)): session.id = text
      case ("seed", _): seed = value
      default: break
      }
    }
    let moved = self.session(session)
    // The kind of service is no secret, and later lines depend on it.
    let service = members.filter { $0.name == "service" }
    return .object([("engine", .string(moved.engine)), ("session", .string(moved.id)), ("seed", seed)] + service)
  }

  private mutating func handle(_ members: [(name: String, value: JSONTree)]) -> JSONTree {
    .object(
      members.map { name, value in
        switch (name, value) {
        case ("name", .string(let text)): return (name, .string(handle(text)))
        case ("area", .string(let text)):
          let digest = UInt64(text, radix: 16).flatMap { areas[$0] } ?? 0
          return (name, .string(Hex.string(digest)))
        default: return (name, value)
        }
      })
  }

  /// Moves the times of the airports' state. The dates of cycles are public and stay.
  private func airports(_ value: JSONTree, named name: String) -> JSONTree {
    switch value {
    case .object(let members): .object(members.map { ($0.name, airports($0.value, named: $0.name)) })
    case .array(let elements): .array(elements.map { airports($0, named: "") })
    case .integer(let number) where ["at", "notBefore"].contains(name) && number != 0: .integer(shifted(number))
    default: value
    }
  }

  /// The byte budget: the fewest used bytes that drop the same, and the day of the moved time.
  private mutating func budget(_ members: [(name: String, value: JSONTree)]) -> JSONTree {
    report.hasBudget = true
    var budget = ByteBudget()
    for (name, value) in members { if name == "budget", case .integer(let bytes) = value { budget.bytes = bytes } }
    return .object(
      members.map { member, value in
        switch (member, value) {
        case ("flight", .string(let flight)): return (member, .string(name(flight, "flight-")))
        case ("used", .integer(let used)):
          return (member, .integer(budget.bytesUsed(at: budget.saving(afterUsing: used)).lowerBound))
        case ("day", .integer(let day)): return (member, .integer(day == 0 ? 0 : startSecond / 86_400))
        default: return (member, value)
        }
      })
  }

  private func motion(_ members: [(name: String, value: JSONTree)]) -> JSONTree {
    .object(
      members.map { name, value in
        if case .integer(let number) = value { (name, .integer(shifted(number))) } else { (name, value) }
      })
  }

  /// A scope of the weather that waits after a failure: it waits as long as any place might.
  private mutating func failedWeather(_ members: [(name: String, value: JSONTree)]) -> JSONTree? {
    func integer(_ name: String) -> Int64 {
      if case .integer(let number)? = members.first(where: { $0.name == name })?.value { number } else { 0 }
    }
    guard case .string(let text)? = members.first(where: { $0.name == "id" })?.value,
      ScopeID(name: text)?.weatherPlace != nil, integer("failures") > 0, integer("notBefore") > 0,
      integer("notBefore") != integer("retryAfter")
    else { return nil }
    let longest = shifted(integer("lastAttempt")) + Backoff.longestDelayMS(count: integer("failures"))
    return .object(
      members.map { name, value in
        (name, name == "notBefore" ? .integer(longest) : redacted(value, named: name))
      })
  }

  private mutating func points(
    _ numbers: [Int64?], _ standIn: (inout StandIns, ResolvedQuery.Points) -> ResolvedQuery.Points
  ) -> JSONTree {
    var points: ResolvedQuery.Points = []
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      if let longitude = numbers[index], let latitude = numbers[index + 1] {
        points.append(FixedCoordinate(latitudeE7: latitude, longitudeE7: longitude))
      } else {
        points.append(nil)
      }
    }
    let null = JSONTree.other(Array("null".utf8))
    return .array(
      standIn(&standIns, points).flatMap { point -> [JSONTree] in
        point.map { [.integer($0.longitudeE7), .integer($0.latitudeE7)] } ?? [null, null]
      })
  }

  /// The reports that wait for their upload. Their number stays, because it is that of an upload.
  private mutating func reports(_ numbers: [Int64?]) -> JSONTree {
    .array(
      stride(from: 0, to: numbers.count - 1, by: 2).flatMap { _ -> [JSONTree] in
        let report = standIns.report(nil, at: startSecond)
        return [.integer(Int64(clamping: report.packed)), .integer(Int64(report.observedAt))]
      })
  }
}
