package import ContrailWire

extension Event {
  /// The `kind` of the log line.
  package var kind: Kind {
    switch self {
    case .input(let input): input.kind
    case .decision(let decision): decision.kind
    case .mark(.segmentOpened): .segmentOpened
    case .mark(.snapshotPart): .snapshotPart
    case .mark(.snapshotEnded): .snapshotEnded
    case .mark(.stateDigested): .stateDigested
    case .mark(.logSynced): .logSynced
    }
  }

  /// The members of the line between `kind` and `crc`, without braces, in a fixed order.
  package var payload: [UInt8] {
    var json = JSONWriter()
    writePayload(to: &json)
    return json.bytes
  }

  /// Writes ``payload`` to `json`.
  package func writePayload(to json: inout JSONWriter) {
    switch self {
    case .input(let input): input.writeMembers(to: &json)
    case .decision(let decision): decision.writeMembers(to: &json)
    case .mark(.snapshotPart(let part)): part.writeMembers(to: &json)
    case .mark(.stateDigested(let digest)): digest.writeMembers(to: &json)
    case .mark(.segmentOpened), .mark(.snapshotEnded), .mark(.logSynced): break
    }
  }
}

extension Input {
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .sessionStarted(let session):
      json.member("engine", session.engine)
      json.member("session", session.id)
      json.member("seed", session.seed)
      session.writeService(to: &json)
    case .queryChanged(let query):
      json.key("query")
      query.write(to: &json)
    case .historyChanged(let history): json.member("history", history.seconds)
    case .frequencyChanged(let frequency): json.member("frequency", frequency.rawValue)
    case .refreshRequested(let isFull): json.member("full", isFull)
    case .connectivityChanged(let isOnline): json.member("online", isOnline)
    case .credentialsChanged: break
    case .clockAdjusted(let milliseconds): json.member("by", milliseconds)
    case .clockTicked(let scope, let due):
      json.member("timer", scope.name)
      json.member("due", due)
    case .responseReceived(let response): response.writeMembers(to: &json)
    case .responseFailed(let request, let failure, let sent):
      json.member("request", request)
      json.member("error", failure.rawValue)
      sent?.writeMembers(to: &json)
    case .reportTracked(let report):
      json.key("report")
      report.write(to: &json)
    case .airportsChecked(let checked): checked.writeMembers(to: &json)
    case .airportsDownloaded(let downloaded): downloaded.writeMembers(to: &json)
    case .airportsLoaded(let loaded): loaded.writeMembers(to: &json)
    case .airportsDeferred(let edition): edition.writeMembers(to: &json)
    case .airportsFailed(let edition, let code):
      edition.writeMembers(to: &json)
      json.member("code", code)
    case .weatherReceived(let received): received.writeMembers(to: &json)
    case .weatherFailed(let lookup, let failure):
      lookup.writeMembers(to: &json)
      json.member("error", failure.rawValue)
    case .airportsDelivery(let isAutomatic): json.member("automatic", isAutomatic)
    case .listeningChanged(let settings): settings.writeMembers(to: &json)
    case .backgroundChanged(let isInBackground): json.member("background", isInBackground)
    case .budgetChanged(let budget): budget.writeMembers(to: &json)
    case .linkChanged(let link): link.writeMembers(to: &json)
    }
  }
}

extension Input.Response {
  func writeMembers(to json: inout JSONWriter) {
    json.member("request", request)
    json.member("status", Int64(status))
    json.member("bytes", wireBytes)
    if let headBytes { json.member("head", headBytes) }
    sent?.writeMembers(to: &json)
    if let serverTimeMS { json.member("serverTime", serverTimeMS) }
    if let retryAfterSeconds { json.member("retryAfter", retryAfterSeconds) }
    if let etag { json.member("etag", etag) }
    if let handle { json.member("handle", handle) }
    if repairs { json.member("repairs", repairs) }
    if holdSeconds > 0 { json.member("holds", holdSeconds) }
    if let form { json.member("form", form.rawValue) }
    body.writeMembers(to: &json)
  }
}

extension SentBytes {
  func writeMembers(to json: inout JSONWriter) {
    json.member("sent", total)
    json.member("sentHead", head)
  }

  /// Reads the members; nil if they are missing.
  init?(_ members: Members) throws(EventError) {
    guard let total = try members.optional("sent", { (json) throws(JSONError) in try json.ordinal() }) else {
      return nil
    }
    self.init(total: total, head: try members.ordinal("sentHead"))
  }
}

extension Input.Body {
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .none: break
    case .answer(let answer):
      json.key("body")
      answer.write(to: &json)
    case .inline, .document:
      json.key("body")
      json.verbatim(bytes)
    case .blob(let name, _):
      json.member("blob", name.sha256)
      json.member("size", Int64(name.byteCount))
    }
  }
}

extension Decision {
  /// Writes the decision's members, as ``Event/payload`` contains them.
  package func writeMembers(to json: inout JSONWriter) {
    var none: SpecTexts?
    writeMembers(to: &json, &none)
  }

  /// Writes the decision's members.
  ///
  /// - Parameter specs: The texts of specs that were written before, if they are kept.
  package func writeMembers(to json: inout JSONWriter, _ specs: inout SpecTexts?) {
    switch self {
    case .fetchStarted(let it):
      json.member("request", it.request)
      json.member("scope", it.scope.name)
      json.member("mode", it.mode.rawValue)
      json.member("rule", it.rule.rawValue)
      json.member("cause", it.cause)
      if let since = it.since { json.member("since", since) }
      if let handle = it.handle { json.member("handle", handle) }
      if let cells = it.cells { json.member("cells", cells) }
      if let hold = it.hold {
        json.key("hold")
        hold.write(to: &json)
      }
      json.key("spec")
      if case .weather = it.scope { return (it.weather ?? WeatherSpec()).write(to: &json) }
      let spec = SpecTexts.Spec(areaDigest: it.areaDigest, filter: it.filter)
      if case nil = specs { spec.write(to: &json) } else { specs?.write(spec, to: &json) }
    case .weatherExpired(let it):
      json.member("scope", it.scope.name)
      json.member("rule", Rule.expired.rawValue)
      json.member("since", it.since)
      json.member("cause", it.cause)
    case .fetchCancelled(let it):
      json.member("request", it.request)
      json.member("scope", it.scope.name)
      json.member("rule", it.rule.rawValue)
      json.member("cause", it.cause)
    case .queryRejected(let it):
      json.member("scope", it.scope.name)
      json.member("rule", Rule.invalid.rawValue)
      json.member("reason", it.reason)
      json.member("place", it.place)
      json.member("cause", it.cause)
    case .errorReported(let it):
      json.member("scope", it.scope.name)
      json.member("rule", it.rule.rawValue)
      json.member("code", it.code.rawValue)
      json.member("request", it.request)
      json.member("cause", it.cause)
    case .uploadStarted(let it):
      json.member("request", it.request)
      json.member("rule", Rule.upload.rawValue)
      json.member("key", it.key)
      json.member("count", it.count)
      json.member("cause", it.cause)
    case .airportsSwitched(let it): it.writeMembers(to: &json)
    case .airportsRequested(let it): it.writeMembers(to: &json)
    case .savingChanged(let it):
      json.member("saving", it.saving.rawValue)
      json.member("rule", Rule.saving.rawValue)
      json.member("used", it.used)
      if let budget = it.budget { json.member("budget", budget) }
      json.member("cause", it.cause)
    }
  }
}

/// The texts of the specs of requests that were written last: most requests have one of a few.
package struct SpecTexts: Sendable {
  struct Spec: Hashable {
    var areaDigest: UInt64
    var filter: Filter

    fileprivate func write(to json: inout JSONWriter) {
      json.object { json in
        json.key("area")
        json.hex(areaDigest)
        filter.writeMembers(to: &json)
      }
    }
  }

  private struct Entry {
    let spec: Spec
    let text: [UInt8]
  }

  /// As many as there are scopes with areas, and the world.
  private static let maximumCount = 3

  private var entries: [Entry] = []

  package init() {}

  fileprivate mutating func write(_ spec: Spec, to json: inout JSONWriter) {
    for index in entries.indices where entries[index].spec == spec { return json.verbatim(entries[index].text) }
    let start = json.count
    spec.write(to: &json)
    if entries.count == Self.maximumCount { entries.removeFirst() }
    entries.append(Entry(spec: spec, text: json.bytes(from: start)))
  }
}

extension StateDigest {
  func writeMembers(to json: inout JSONWriter) {
    json.key("scopes")
    json.object { json in
      for entry in scopes {
        json.key(named: entry.scope.name)
        json.hex(entry.digest)
      }
    }
    json.key("control")
    json.hex(control)
  }
}

extension AltitudeBand {
  func write(to json: inout JSONWriter) {
    json.integers(atMost: 2) { ends in
      ends.append(Int64(lower))
      ends.append(Int64(upper))
    }
  }
}

extension Filter {
  /// Writes the members that decisions and snapshots have in common.
  func writeMembers(to json: inout JSONWriter) {
    json.key("types")
    types.write(to: &json)
    json.key("sevs")
    severities.write(to: &json)
    json.key("altitudes")
    altitudes.write(to: &json)
    json.member("history", history.seconds)
  }

  /// Reads the member's value if `key` names one of these members; returns whether it did.
  mutating func read(_ key: JSONKey, _ json: inout JSONReader) throws(JSONError) -> Bool {
    switch key {
    case "types": types = try DataTypeOptions(from: &json)
    case "sevs": severities = try SeveritySet(from: &json)
    case "altitudes": altitudes = try json.altitudes()
    case "history": history = try json.history()
    default: return false
    }
    return true
  }
}
