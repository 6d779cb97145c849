import ContrailWire

extension Event {
  /// Creates an event from the content of a log line.
  ///
  /// - Parameters:
  ///   - kind: The line's `kind`.
  ///   - payload: The members between `kind` and `crc`, without braces, in any order and formatting.
  ///   - blob: Returns the bytes of a response body that the log keeps as a blob. If it returns nil, the body is empty
  ///     and the response counts as unreadable.
  /// - Throws: ``EventError`` if the kind is unknown, or a member is missing or malformed.
  package init(
    kind: String, payload: UnsafeRawBufferPointer, blob: (BlobName) -> [UInt8]? = { _ in nil }
  ) throws(EventError) {
    guard let known = Kind(rawValue: kind) else { throw EventError.unknownKind(kind) }
    try self.init(kind: known, payload: payload, blob: blob)
  }

  /// Creates an event from the content of a log line; see ``init(kind:payload:blob:)-(String,_,_)``.
  package init(
    kind: Kind, payload: UnsafeRawBufferPointer, blob: (BlobName) -> [UInt8]? = { _ in nil }
  ) throws(EventError) {
    if let input = Input(canonical: kind, payload) {
      self = .input(input)
    } else if let mark = Mark(canonical: kind, payload) {
      self = .mark(mark)
    } else {
      try self.init(anySpelling: kind, payload: payload, blob: blob)
    }
  }

  /// Creates an event from the content of a log line, member by member, without the fast paths.
  package init(
    anySpelling known: Kind, payload: UnsafeRawBufferPointer, blob: (BlobName) -> [UInt8]? = { _ in nil }
  ) throws(EventError) {
    let members = try Members(kind: known, payload)
    switch known.role {
    case .input: self = .input(try Input(known, members, blob))
    case .decision: self = .decision(try Decision(known, members))
    case .mark: self = .mark(try Mark(known, members))
    }
  }
}

/// The members of a payload, each with the byte range of its value.
struct Members {
  let kind: Kind
  private let bytes: UnsafeRawBufferPointer
  private var ranges: [(name: String, value: Range<Int>)] = []

  init(kind: Kind, _ bytes: UnsafeRawBufferPointer) throws(EventError) {
    self.kind = kind
    self.bytes = bytes
    var ranges: [(name: String, value: Range<Int>)] = []
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.members { (key, json) throws(JSONError) in
        ranges.append((key.string, try json.skipValue()))
      }
    } catch {
      throw EventError.malformed(kind: kind.rawValue, error)
    }
    self.ranges = ranges
  }

  /// Returns the bytes of a member's value.
  func raw(_ name: String) -> UnsafeRawBufferPointer? {
    guard let range = ranges.last(where: { $0.name == name })?.value else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  /// Reads a member; returns nil if it is missing or null.
  func optional<T>(_ name: String, _ read: (inout JSONReader) throws(JSONError) -> T) throws(EventError) -> T? {
    guard let range = ranges.last(where: { $0.name == name })?.value else { return nil }
    var json = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[range]))
    do throws(JSONError) {
      return try json.null() ? nil : try read(&json)
    } catch {
      throw EventError.malformed(
        kind: kind.rawValue, JSONError(offset: range.lowerBound + error.offset, reason: "\(name): \(error.reason)"))
    }
  }

  /// Reads a required member.
  func required<T>(_ name: String, _ read: (inout JSONReader) throws(JSONError) -> T) throws(EventError) -> T {
    guard let value = try optional(name, read) else {
      throw EventError.missing(kind: kind.rawValue, member: name)
    }
    return value
  }

  func int(_ name: String) throws(EventError) -> Int64 {
    try required(name) { (json) throws(JSONError) in try json.int64() }
  }

  func ordinal(_ name: String) throws(EventError) -> Int64 {
    try required(name) { (json) throws(JSONError) in try json.ordinal() }
  }

  /// The maximum size of an encoded text in bytes.
  ///
  /// Identifiers, tags and codes are far shorter. Otherwise the state, its digest and their JSON would each hold a copy of
  /// a text as long as a line.
  static let maximumTextBytes = 1 << 16

  /// Checks the size of a text before it is decoded.
  private func checkText(_ name: String) throws(EventError) {
    guard let range = ranges.last(where: { $0.name == name })?.value, range.count > Self.maximumTextBytes else {
      return
    }
    throw EventError.malformed(
      kind: kind.rawValue,
      JSONError(offset: range.lowerBound, reason: "\(name): the text has more than \(Self.maximumTextBytes) bytes"))
  }

  func string(_ name: String) throws(EventError) -> String {
    try checkText(name)
    return try required(name) { (json) throws(JSONError) in try json.string() }
  }

  func optionalString(_ name: String) throws(EventError) -> String? {
    try checkText(name)
    return try optional(name) { (json) throws(JSONError) in try json.string() }
  }

  func bool(_ name: String) throws(EventError) -> Bool {
    try required(name) { (json) throws(JSONError) in try json.bool() }
  }

  func scope(_ name: String) throws(EventError) -> ScopeID {
    try checkText(name)
    return try required(name) { (json) throws(JSONError) in try json.scope() }
  }

  /// Reads an enumeration case by its raw value.
  func named<T: RawRepresentable>(_ name: String, _ type: T.Type = T.self) throws(EventError) -> T
  where T.RawValue == String {
    try checkText(name)
    return try required(name) { (json) throws(JSONError) in try json.named() }
  }
}

extension JSONReader {
  /// Reads an enumeration case by its raw value.
  mutating func named<T: RawRepresentable>(_ type: T.Type = T.self) throws(JSONError) -> T
  where T.RawValue == String {
    let text = try string()
    guard let value = T(rawValue: text) else { throw fault("unknown value '\(text)'") }
    return value
  }

  mutating func scope() throws(JSONError) -> ScopeID {
    let text = try string()
    guard let scope = ScopeID(name: text) else { throw fault("unknown scope '\(text)'") }
    return scope
  }

  mutating func history() throws(JSONError) -> DataHistoryTime {
    let seconds = try int64()
    guard let history = DataHistoryTime(rawValue: seconds) else { throw fault("unknown history time of \(seconds) s") }
    return history
  }

  mutating func hex() throws(JSONError) -> UInt64 {
    let start = next()
    guard let value = try rawString().withUTF8(Hex.value) else {
      throw JSONError(offset: start, reason: "expected hexadecimal digits")
    }
    return value
  }

  mutating func altitudes() throws(JSONError) -> AltitudeBand {
    var ends: [Int64] = []
    try array { (json) throws(JSONError) in ends.append(try json.int64()) }
    guard ends.count == 2, let band = AltitudeBand(lower: ends[0], upper: ends[1]) else {
      throw fault("expected two altitudes within 0…52 thousand feet, the lower first")
    }
    return band
  }
}

extension Input {
  init(_ kind: Kind, _ members: Members, _ blob: (BlobName) -> [UInt8]?) throws(EventError) {
    switch kind {
    case .sessionStarted:
      let seed = try members.required("seed") { (json) throws(JSONError) -> UInt64 in try json.seed() }
      let service = try members.optional("service") { (json) throws(JSONError) in try ServiceProfile.read(&json) }
      self = .sessionStarted(
        Session(
          engine: try members.string("engine"), id: try members.string("session"), seed: seed,
          service: service?.profile ?? .contrail, hasWeatherService: service?.hasWeatherService ?? false))
    case .queryChanged:
      self = .queryChanged(
        try members.required("query") { (json) throws(JSONError) in try ResolvedQuery(from: &json) })
    case .historyChanged:
      self = .historyChanged(try members.required("history") { (json) throws(JSONError) in try json.history() })
    case .frequencyChanged: self = .frequencyChanged(try members.named("frequency"))
    case .refreshRequested: self = .refreshRequested(full: try members.bool("full"))
    case .connectivityChanged: self = .connectivityChanged(isOnline: try members.bool("online"))
    case .credentialsChanged: self = .credentialsChanged
    case .clockAdjusted: self = .clockAdjusted(byMS: try members.int("by"))
    case .clockTicked: self = .clockTicked(scope: try members.scope("timer"), due: try members.int("due"))
    case .responseReceived: self = .responseReceived(try Response(members, blob))
    case .responseFailed:
      self = .responseFailed(
        request: try members.ordinal("request"), failure: try members.named("error"), sent: try SentBytes(members))
    case .reportTracked:
      self = .reportTracked(
        try members.required("report") { (json) throws(JSONError) in try TurbulenceReport(from: &json) })
    case .airportsChecked: self = .airportsChecked(try AirportsChecked(members))
    case .airportsDownloaded: self = .airportsDownloaded(try AirportsDownloaded(members))
    case .airportsLoaded: self = .airportsLoaded(try AirportsLoaded(members))
    case .airportsDeferred: self = .airportsDeferred(try AirportEdition(members))
    case .airportsDelivery:
      self = .airportsDelivery(
        isAutomatic: try members.required("automatic") { (json) throws(JSONError) in try json.bool() })
    case .airportsFailed: self = .airportsFailed(try AirportEdition(members), code: try members.string("code"))
    case .listeningChanged: self = .listeningChanged(try ListeningSettings(members))
    case .backgroundChanged: self = .backgroundChanged(isInBackground: try members.bool("background"))
    case .budgetChanged: self = .budgetChanged(try ByteBudget(members))
    case .linkChanged:
      self = .linkChanged(
        LinkCost(isExpensive: try members.bool("expensive"), isConstrained: try members.bool("constrained")))
    case .weatherReceived: self = .weatherReceived(try WeatherReceived(members, blob))
    case .weatherFailed:
      self = .weatherFailed(try WeatherLookup(members), failure: try members.named("error"))
    default: throw EventError.unknownKind(kind.rawValue)
    }
  }
}

extension JSONReader {
  /// Reads an unsigned 64-bit integer.
  mutating func seed() throws(JSONError) -> UInt64 {
    let range = try skipValue()
    guard let seed = UInt64(String(decoding: slice(range), as: UTF8.self)) else {
      throw fault("expected an integer from 0 to \(UInt64.max)")
    }
    return seed
  }
}

extension Input.Response {
  init(_ members: Members, _ blob: (BlobName) -> [UInt8]?) throws(EventError) {
    self.init(
      request: try members.ordinal("request"),
      status: try members.required("status") { (json) throws(JSONError) in try json.integer(in: 0...999) },
      wireBytes: try members.int("bytes"),
      headBytes: try members.optional("head") { (json) throws(JSONError) in try json.ordinal() },
      sent: try SentBytes(members),
      serverTimeMS: try members.optional("serverTime") { (json) throws(JSONError) in try json.time() },
      retryAfterSeconds: try members.optional("retryAfter") { (json) throws(JSONError) in
        try json.integer(in: 0...Self.maximumRetryAfterSeconds)
      },
      etag: try members.optionalString("etag"),
      handle: try members.optionalString("handle"),
      repairs: try members.optional("repairs") { (json) throws(JSONError) in try json.bool() } ?? false,
      holdSeconds: try members.optional("holds") { (json) throws(JSONError) in
        try json.integer(in: 0...HoldTerms.maximumSeconds)
      } ?? 0,
      form: try members.optional("form") { (json) throws(JSONError) in try json.named() },
      body: try Input.Body(members, blob))
  }

  /// The longest `Retry-After` that is accepted, in seconds: one day.
  package static var maximumRetryAfterSeconds: Int64 { 86_400 }
}

extension Input.Body {
  init(_ members: Members, _ blob: (BlobName) -> [UInt8]?) throws(EventError) {
    if let bytes = members.raw("body") {
      self = .inline(Array(bytes))
    } else if let sha256 = try members.optionalString("blob") {
      let size = try members.required("size") { (json) throws(JSONError) -> Int in try json.integer(in: 0...Int.max) }
      let name = BlobName(sha256: sha256, byteCount: size)
      self = .blob(name, blob(name) ?? [])
    } else {
      self = .none
    }
  }
}

extension JSONReader {
  /// Reads milliseconds since 1970, up to the year 10,000.
  mutating func time() throws(JSONError) -> Int64 { try integer(in: 0...State.maximumMS) }

  /// Reads a counter or sequence number, which starts at 0. The upper bound leaves room for additions without overflow.
  mutating func ordinal() throws(JSONError) -> Int64 { try integer(in: 0...Int64.max / 2) }
}

extension Decision {
  init(_ kind: Kind, _ members: Members) throws(EventError) {
    switch kind {
    case .fetchStarted:
      let started = FetchStarted(
        request: try members.ordinal("request"), scope: try members.scope("scope"), mode: try members.named("mode"),
        rule: try members.named("rule"), cause: try members.ordinal("cause"),
        since: try members.optional("since") { (json) throws(JSONError) in try json.int64() },
        handle: try members.optionalString("handle"),
        cells: try members.optional("cells") { (json) throws(JSONError) in try json.ordinal() },
        hold: try members.optional("hold") { (json) throws(JSONError) in try HoldTerms(from: &json) },
        areaDigest: 0, filter: Filter(types: [], severities: []))
      self = .fetchStarted(
        try members.required("spec") { (json) throws(JSONError) in
          var started = started
          if case .weather = started.scope {
            started.weather = try WeatherSpec(from: &json)
            return started
          }
          var missing: Set = ["area", "types", "sevs", "altitudes", "history"]
          try json.object { (key, json) throws(JSONError) in
            if case "area" = key {
              started.areaDigest = try json.hex()
            } else if try !started.filter.read(key, &json) {
              try json.skipValue()
            }
            missing.remove(key.string)
          }
          guard missing.isEmpty else { throw json.fault("missing \(missing.sorted().joined(separator: ", "))") }
          return started
        })
    case .fetchCancelled:
      self = .fetchCancelled(
        FetchCancelled(
          request: try members.ordinal("request"), scope: try members.scope("scope"), rule: try members.named("rule"),
          cause: try members.ordinal("cause")))
    case .queryRejected:
      self = .queryRejected(
        QueryRejected(
          scope: try members.scope("scope"), reason: try members.string("reason"), place: try members.string("place"),
          cause: try members.ordinal("cause")))
    case .errorReported:
      self = .errorReported(
        ErrorReported(
          scope: try members.scope("scope"), rule: try members.named("rule"), code: try members.named("code"),
          request: try members.ordinal("request"), cause: try members.ordinal("cause")))
    case .uploadStarted:
      self = .uploadStarted(
        UploadStarted(
          request: try members.ordinal("request"), key: try members.string("key"),
          count: try members.required("count") { (json) throws(JSONError) in
            try json.integer(in: 1...Int64(ReportsUpload.maximumCount))
          }, cause: try members.ordinal("cause")))
    case .weatherExpired:
      self = .weatherExpired(
        WeatherExpired(
          scope: try members.scope("scope"),
          since: try members.required("since") { (json) throws(JSONError) in try json.time() },
          cause: try members.ordinal("cause")))
    case .airportsSwitched: self = .airportsSwitched(try AirportsSwitched(members))
    case .airportsRequested: self = .airportsRequested(try AirportsRequested(members))
    case .savingChanged:
      self = .savingChanged(
        SavingChanged(
          saving: try members.named("saving"), used: try members.ordinal("used"),
          budget: try members.optional("budget") { (json) throws(JSONError) in try json.ordinal() },
          cause: try members.ordinal("cause")))
    default: throw EventError.unknownKind(kind.rawValue)
    }
  }
}

extension Mark {
  init(_ kind: Kind, _ members: Members) throws(EventError) {
    switch kind {
    case .segmentOpened: self = .segmentOpened
    case .snapshotPart: self = .snapshotPart(try SnapshotPart(members))
    case .snapshotEnded: self = .snapshotEnded
    case .stateDigested: self = .stateDigested(try StateDigest(members))
    case .logSynced: self = .logSynced
    default: throw EventError.unknownKind(kind.rawValue)
    }
  }
}

extension StateDigest {
  init(_ members: Members) throws(EventError) {
    let scopes = try members.required("scopes") { (json) throws(JSONError) -> [ScopeDigest] in
      var scopes: [ScopeDigest] = []
      try json.object { (key, json) throws(JSONError) in
        guard let scope = ScopeID(name: key.string) else { throw json.fault("unknown scope '\(key.string)'") }
        scopes.append(ScopeDigest(scope: scope, digest: try json.hex()))
      }
      return scopes
    }
    self.init(scopes: scopes, control: try members.required("control") { (json) throws(JSONError) in try json.hex() })
  }
}
