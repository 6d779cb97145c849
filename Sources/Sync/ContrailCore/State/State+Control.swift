import ContrailGeodesy
package import ContrailWire

// The control part of the state: everything that affects decisions, without the records. Its canonical JSON is hashed
// for the digest `control` and is part of snapshots.

extension State {
  /// The control part as canonical JSON.
  package var controlJSON: [UInt8] {
    var json = JSONWriter()
    writeControl(to: &json)
    return json.bytes
  }

  /// Writes ``controlJSON`` to `json`.
  func writeControl(to json: inout JSONWriter) {
    json.object { json in
      if let session {
        json.key("session")
        json.object { Input.sessionStarted(session).writeMembers(to: &$0) }
      }
      json.key("query")
      query.write(to: &json)
      json.member("history", history.seconds)
      json.member("frequency", frequency.rawValue)
      json.member("online", isOnline)
      if isInBackground { json.member("background", isInBackground) }
      if isResting { json.member("resting", isResting) }
      if listening != Listening() {
        json.key("listening")
        listening.write(to: &json)
      }
      if byteUse != ByteUse() {
        json.key("bytes")
        byteUse.write(to: &json)
      }
      if let serverOffsetMS { json.member("serverOffset", serverOffsetMS) }
      if let corridor {
        json.key("corridor")
        json.points(corridor.points)
      }
      json.member("nextRequest", nextRequest)
      json.member("dropped", droppedAnswers)
      json.key("scopes")
      json.array { json in scopes.forEach { $0.writeControl(to: &json) } }
      // Omitted while nothing was ever tracked.
      if outbox.trackedCount > 0 {
        json.key("outbox")
        outbox.write(to: &json)
      }
      if !airports.isEmpty {
        json.key("airports")
        airports.write(to: &json)
      }
      if !standing.isEmpty {
        json.key("rejected")
        json.array { json in standing.forEach { $0.write(to: &json) } }
      }
    }
  }

  /// Replaces the state with the control part in JSON from ``controlJSON``; records are left empty.
  mutating func readControl(_ json: inout JSONReader) throws(JSONError) {
    var state = State()
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "session": state.session = try Input.Session(from: &json)
      case "query": state.query = try ResolvedQuery(from: &json)
      case "history": state.history = try json.history()
      case "frequency": state.frequency = try json.named()
      case "online": state.isOnline = try json.bool()
      case "background": state.isInBackground = try json.bool()
      case "resting": state.isResting = try json.bool()
      case "listening": state.listening = try Listening(from: &json)
      case "bytes": state.byteUse = try ByteUse(from: &json)
      case "serverOffset": state.serverOffsetMS = try json.integer(in: -Self.maximumMS...Self.maximumMS)
      case "corridor": state.corridor = try json.ring()
      case "nextRequest": state.nextRequest = try json.ordinal()
      case "dropped": state.droppedAnswers = try json.ordinal()
      case "scopes":
        try json.array { (json) throws(JSONError) in state.scopes.append(try Scope(controlFrom: &json)) }
      case "outbox": state.outbox = try Outbox(from: &json)
      case "airports": state.airports = try AirportHoldings(from: &json)
      case "rejected":
        try json.array { (json) throws(JSONError) in state.standing.append(try Rejection(from: &json)) }
      default: try json.skipValue()
      }
    }
    state.nextSeq = nextSeq
    state.now = now
    state.cause = cause
    self = state
  }
}

extension State.Rejection {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("scope", scope.name)
      json.member("reason", reason)
      json.member("place", place)
    }
  }

  fileprivate init(from json: inout JSONReader) throws(JSONError) {
    var scope: ScopeID?
    var reason: String?
    var place: String?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "scope": scope = try json.scope()
      case "reason": reason = try json.string()
      case "place": place = try json.string()
      default: try json.skipValue()
      }
    }
    guard let scope, let reason, let place else {
      throw json.fault("a rejection must have 'scope', 'reason' and 'place'")
    }
    self.init(scope: scope, reason: reason, place: place)
  }
}

extension Input.Session {
  init(from json: inout JSONReader) throws(JSONError) {
    var engine: String?
    var id: String?
    var seed: UInt64?
    var service = (profile: ServiceProfile.contrail, hasWeatherService: false)
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "engine": engine = try json.string()
      case "session": id = try json.string()
      case "seed": seed = try json.seed()
      case "service": service = try ServiceProfile.read(&json)
      default: try json.skipValue()
      }
    }
    guard let engine, let id, let seed else { throw json.fault("a session must have 'engine', 'session' and 'seed'") }
    self.init(
      engine: engine, id: id, seed: seed, service: service.profile, hasWeatherService: service.hasWeatherService)
  }
}

extension Scope {
  func writeControl(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id.name)
      if let want {
        json.key("want")
        want.write(to: &json)
      }
      if let have {
        json.key("have")
        json.object { json in
          json.key("spec")
          have.spec.write(to: &json)
          json.member("watermark", have.watermark)
          if let broken = have.broken { json.member("broken", broken.rawValue) }
          if let etag = have.etag { json.member("etag", etag) }
        }
      }
      if case .inFlight(let inFlight) = request {
        json.key("inFlight")
        json.object { json in
          json.member("request", inFlight.request)
          json.key("spec")
          inFlight.spec.write(to: &json)
          json.member("mode", inFlight.mode.rawValue)
          json.member("rule", inFlight.rule.rawValue)
          if let since = inFlight.since { json.member("since", since) }
          if let handle = inFlight.handle { json.member("handle", handle) }
          if let cells = inFlight.cells { json.member("cells", cells) }
          if let hold = inFlight.hold {
            json.key("hold")
            hold.terms.write(to: &json)
            json.member("deadline", hold.deadline)
          }
          if inFlight.hasOldCredentials { json.member("oldCredentials", true) }
        }
      }
      if let handle = handles.known {
        json.key("handle")
        json.object { json in
          json.member("name", handle.name)
          json.key("area")
          json.hex(handle.areaDigest)
          if handle.repairs { json.member("repairs", handle.repairs) }
          if handle.holdSeconds > 0 { json.member("holds", handle.holdSeconds) }
        }
      }
      if handles.losses > 0 { json.member("handleLosses", handles.losses) }
      if let lostAt = handles.lostAt { json.member("handlesLostAt", lostAt) }
      if let repair {
        json.key("repair")
        json.object { json in
          json.member("cells", repair.cells)
          json.member("attempts", repair.attempts)
        }
      }
      if let motion {
        json.key("motion")
        json.object { json in
          json.member("changed", motion.changedAt)
          json.member("since", motion.since)
          if motion.isWaiting { json.member("waits", true) }
        }
      }
      json.member("pendingRefresh", pendingRefresh.rawValue)
      retry.writeMembers(to: &json)
      if let lastSuccessAt { json.member("lastSuccess", lastSuccessAt) }
      if let confirmAt { json.member("confirm", confirmAt) }
      // Omitted while false, as in all scopes but weather.
      if reported.contains(.expiry) { json.member("expired", true) }
      if reported.contains(.refusal) { json.member("refused", true) }
      if case .blocked(let block) = request { json.member("block", block.rawValue) }
      if let lastFull {
        json.key("lastFull")
        json.object { json in
          json.member("request", lastFull.request)
          json.member("rule", lastFull.rule.rawValue)
          json.key("spec")
          lastFull.spec.write(to: &json)
          json.member("repeats", lastFull.repeats)
          json.member("notBefore", lastFull.notBefore)
          json.member("verified", lastFull.isVerified)
          json.member("reported", lastFull.isReported)
          if lastFull.isRepair { json.member("repair", lastFull.isRepair) }
        }
      }
    }
  }

  init(controlFrom json: inout JSONReader) throws(JSONError) {
    var scope: Scope?
    var repair: Scope.Repair?
    try json.object { (key, json) throws(JSONError) in
      guard scope != nil else {
        guard case "id" = key else { throw json.fault("a scope must start with its 'id'") }
        scope = Scope(id: try json.scope())
        return
      }
      guard try scope?.retry.read(key, &json) == false else { return }
      switch key {
      case "want": scope?.want = try FetchSpec(from: &json)
      case "have": scope?.have = try Have(from: &json)
      case "inFlight": scope?.request = .inFlight(try InFlightRequest(from: &json))
      case "handle": scope?.handles.known = try AreaHandle(from: &json)
      case "handleLosses": scope?.handles.losses = try json.ordinal()
      case "handlesLostAt": scope?.handles.lostAt = try json.time()
      case "repair": repair = try Repair(from: &json)
      case "motion": scope?.motion = try Motion(from: &json)
      case "pendingRefresh": scope?.pendingRefresh = try json.named()
      case "lastSuccess": scope?.lastSuccessAt = try json.time()
      case "confirm": scope?.confirmAt = try json.time()
      case "expired": if try json.bool() { scope?.reported.insert(.expiry) }
      case "refused": if try json.bool() { scope?.reported.insert(.refusal) }
      case "block": scope?.request = .blocked(try json.named())
      case "lastFull": scope?.lastFull = try LastFull(from: &json)
      default: try json.skipValue()
      }
    }
    guard var scope else { throw json.fault("the scope has no 'id'") }
    if let repair { scope.have?.repair = repair }
    self = scope
  }
}

extension Scope.Have {
  init(from json: inout JSONReader) throws(JSONError) {
    var spec: FetchSpec?
    var watermark: Int64?
    var broken: Rule?
    var etag: String?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "spec": spec = try FetchSpec(from: &json)
      case "watermark": watermark = try json.integer(in: 0...Int64(UInt32.max))
      case "broken": broken = try json.named()
      case "etag": etag = try json.string()
      default: try json.skipValue()
      }
    }
    guard let spec, let watermark else { throw json.fault("'have' must have 'spec' and 'watermark'") }
    self.init(spec: spec, watermark: watermark, etag: etag, condition: broken.map { .broken($0) } ?? .sound)
  }
}

extension Scope.AreaHandle {
  init(from json: inout JSONReader) throws(JSONError) {
    var name: String?
    var areaDigest: UInt64?
    var repairs = false
    var holdSeconds: Int64 = 0
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "name": name = try json.string()
      case "area": areaDigest = try json.hex()
      case "repairs": repairs = try json.bool()
      case "holds": holdSeconds = try json.integer(in: 0...HoldTerms.maximumSeconds)
      default: try json.skipValue()
      }
    }
    guard let name, let areaDigest else { throw json.fault("'handle' must have 'name' and 'area'") }
    self.init(name: name, areaDigest: areaDigest, repairs: repairs, holdSeconds: holdSeconds)
  }
}

extension Scope.Repair {
  init(from json: inout JSONReader) throws(JSONError) {
    var cells: Int64?
    var attempts: Int64?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "cells": cells = try json.integer(in: 0...Int64(RecordSketch.maximumCells))
      case "attempts": attempts = try json.integer(in: 0...Self.maximumAttempts)
      default: try json.skipValue()
      }
    }
    guard let cells, let attempts else { throw json.fault("'repair' must have 'cells' and 'attempts'") }
    self.init(cells: cells, attempts: attempts)
  }
}

extension Scope.Motion {
  init(from json: inout JSONReader) throws(JSONError) {
    var changedAt: Int64?
    var since: Int64?
    var isWaiting = false
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "changed": changedAt = try json.time()
      case "since": since = try json.time()
      case "waits": isWaiting = try json.bool()
      default: try json.skipValue()
      }
    }
    guard let changedAt, let since else { throw json.fault("'motion' must have 'changed' and 'since'") }
    self.init(changedAt: changedAt, since: since, isWaiting: isWaiting)
  }
}

extension Scope.InFlightRequest {
  init(from json: inout JSONReader) throws(JSONError) {
    var request: Int64?
    var spec: FetchSpec?
    var mode: FetchMode?
    var rule: Rule?
    var since: Int64?
    var handle: String?
    var cells: Int64?
    var terms: HoldTerms?
    var deadline: Int64 = 0
    var hasOldCredentials = false
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "handle": handle = try json.string()
      case "cells": cells = try json.ordinal()
      case "hold": terms = try HoldTerms(from: &json)
      case "deadline": deadline = try json.time()
      case "oldCredentials": hasOldCredentials = try json.bool()
      case "request": request = try json.ordinal()
      case "spec": spec = try FetchSpec(from: &json)
      case "mode": mode = try json.named()
      case "rule": rule = try json.named()
      case "since": since = try json.int64()
      default: try json.skipValue()
      }
    }
    guard let request, let spec, let mode, let rule else {
      throw json.fault("'inFlight' must have 'request', 'spec', 'mode' and 'rule'")
    }
    self.init(
      request: request, spec: spec, mode: mode, rule: rule, since: since, handle: handle,
      cells: cells, hold: terms.map { Scope.Hold(terms: $0, deadline: deadline) }, hasOldCredentials: hasOldCredentials)
  }
}

extension Scope.LastFull {
  init(from json: inout JSONReader) throws(JSONError) {
    var request: Int64 = 0
    var rule: Rule?
    var spec: FetchSpec?
    var repeats: Int64 = 1
    var notBefore: Int64 = 0
    var isVerified = false
    var isReported = false
    var isRepair = false
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "request": request = try json.ordinal()
      case "rule": rule = try json.named()
      case "spec": spec = try FetchSpec(from: &json)
      case "repeats": repeats = try json.ordinal()
      case "notBefore": notBefore = try json.time()
      case "verified": isVerified = try json.bool()
      case "reported": isReported = try json.bool()
      case "repair": isRepair = try json.bool()
      default: try json.skipValue()
      }
    }
    guard let rule, let spec else { throw json.fault("'lastFull' must have 'rule' and 'spec'") }
    self.init(
      rule: rule, spec: spec, repeats: repeats, notBefore: notBefore, isVerified: isVerified,
      isReported: isReported, request: request, isRepair: isRepair)
  }
}

extension FetchSpec {
  /// Writes the spec in the form that snapshots contain.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      if let weather {
        json.key("weather")
        return weather.write(to: &json)
      }
      if case .ring(let ring) = area {
        json.key("ring")
        json.points(ring.points)
      }
      filter.writeMembers(to: &json)
    }
  }

  /// Creates a spec from the form that ``write(to:)`` writes.
  package init(from json: inout JSONReader) throws(JSONError) {
    var spec = FetchSpec(area: .world, filter: Filter(types: []))
    try json.object { (key, json) throws(JSONError) in
      guard try !spec.filter.read(key, &json) else { return }
      switch key {
      case "ring": spec.area = .ring(try json.ring())
      case "weather": spec = FetchSpec(try WeatherSpec(from: &json))
      default: try json.skipValue()
      }
    }
    self = spec
  }
}

extension JSONReader {
  mutating func ring() throws(JSONError) -> Ring {
    let points = try points()
    do {
      return try Ring(points)
    } catch {
      throw fault(error.description)
    }
  }
}
