import ContrailGeodesy
import ContrailWire

// Fast paths for the most frequent log lines, in the exact form that the engine writes. ``Members`` reads every other
// form to the same event.

extension Input {
  /// Creates an input from a payload in exactly the form that the engine writes.
  ///
  /// Supports timer ticks, responses whose body is in the line, and queries without weather. Returns nil for any other
  /// form or kind, which ``Members`` reads.
  ///
  /// - Complexity: O(*n*) in the bytes of the payload.
  init?(canonical kind: Kind, _ payload: UnsafeRawBufferPointer) {
    var scan = CanonicalScanner(payload)
    switch kind {
    case .clockTicked:
      guard scan.skip("\"timer\":\""), let scope = scan.areaScope(), scan.skip("\",\"due\":"),
        let due = scan.number(upTo: .max), scan.isAtEnd
      else { return nil }
      self = .clockTicked(scope: scope, due: due)
    case .responseReceived:
      guard let response = Response(canonical: &scan) else { return nil }
      self = .responseReceived(response)
    case .queryChanged:
      guard scan.skip("\"query\":"), let query = ResolvedQuery(canonical: &scan), scan.isAtEnd else { return nil }
      self = .queryChanged(query)
    default: return nil
    }
  }
}

extension Input.Response {
  init?(canonical scan: inout CanonicalScanner) {
    guard scan.skip("\"request\":"), let request = scan.number(upTo: .max / 2), scan.skip(",\"status\":"),
      let status = scan.number(upTo: 999), scan.skip(",\"bytes\":"), let wireBytes = scan.number(upTo: .max)
    else { return nil }
    var headBytes: Int64?
    if scan.skip(",\"head\":") {
      guard let count = scan.number(upTo: .max / 2) else { return nil }
      headBytes = count
    }
    var sent: SentBytes?
    if scan.skip(",\"sent\":") {
      guard let total = scan.number(upTo: .max / 2), scan.skip(",\"sentHead\":"), let head = scan.number(upTo: .max / 2)
      else { return nil }
      sent = SentBytes(total: total, head: head)
    }
    var serverTimeMS: Int64?
    if scan.skip(",\"serverTime\":") {
      guard let time = scan.number(upTo: State.maximumMS) else { return nil }
      serverTimeMS = time
    }
    var retryAfterSeconds: Int64?
    if scan.skip(",\"retryAfter\":") {
      guard let seconds = scan.number(upTo: Self.maximumRetryAfterSeconds) else { return nil }
      retryAfterSeconds = seconds
    }
    var etag: String?
    if scan.skip(",\"etag\":") {
      guard let text = scan.anyString(upTo: Members.maximumTextBytes) else { return nil }
      etag = text
    }
    var handle: String?
    if scan.skip(",\"handle\":") {
      guard let text = scan.anyString(upTo: Members.maximumTextBytes) else { return nil }
      handle = text
    }
    let repairs = scan.skip(",\"repairs\":true")
    var holdSeconds: Int64 = 0
    if scan.skip(",\"holds\":") {
      guard let seconds = scan.number(upTo: HoldTerms.maximumSeconds) else { return nil }
      holdSeconds = seconds
    }
    let form: Input.BodyForm? = scan.skip(",\"form\":\"compact\"") ? .compact : nil
    guard let body = Input.Body(canonical: &scan) else { return nil }
    self.init(
      request: request, status: Int(status), wireBytes: wireBytes, headBytes: headBytes, sent: sent,
      serverTimeMS: serverTimeMS, retryAfterSeconds: retryAfterSeconds, etag: etag, handle: handle,
      repairs: repairs, holdSeconds: holdSeconds, form: form, body: body)
  }
}

extension Input.Body {
  /// Creates a body from the rest of a line: no body, or one JSON object. Nil for any other value, which is rare.
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    if scan.isAtEnd {
      self = .none
      return
    }
    guard scan.skip(",\"body\":") else { return nil }
    let bytes = scan.rest
    if let answer = ObservationsAnswer(canonical: bytes) {
      self = .answer(answer)
      return
    }
    // Whitespace around the body isn't canonical.
    guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
    do throws(JSONError) {
      self = .document(try JSONDocument(Array(bytes)))
    } catch {
      return nil
    }
  }
}

extension ResolvedQuery {
  /// Creates a query from text in exactly the form of ``write(to:)``; nil for any other form, and for a query with
  /// weather or with points that were not finite.
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    self.init()
    guard scan.skip("{\"types\":"), let types = DataTypeOptions(canonical: &scan) else { return nil }
    self.types = types
    if scan.skip(",\"viewportTypes\":") {
      guard let types = DataTypeOptions(canonical: &scan) else { return nil }
      viewportTypes = types
    }
    guard scan.skip(",\"sevs\":"), let severities = SeveritySet(canonical: &scan),
      scan.points(after: ",\"polygon\":[", into: &polygon), scan.points(after: ",\"viewport\":[", into: &viewport),
      scan.skip(",\"globalEnabled\":"), let globalEnabled = scan.bool(),
      scan.skip(",\"upTo\":"), let isUpToEnabled = scan.bool()
    else { return nil }
    self.severities = severities
    self.globalEnabled = globalEnabled
    self.isUpToEnabled = isUpToEnabled
    if scan.skip(",\"altRange\":[") {
      guard let lower = scan.integer(), scan.skip(","), let upper = scan.integer(), scan.skip("]") else { return nil }
      altitudes = FeetRange(lower: lower, upper: upper)
    }
    guard scan.points(after: ",\"route\":[", into: &route) else { return nil }
    if scan.skip(",\"routeWidth\":") {
      guard let width = scan.decimal(digits: 3, upTo: 1_000_000_000_000) else { return nil }
      routeWidthMilliNM = width
    }
    guard scan.points(after: ",\"corridor\":[", into: &corridor), scan.skip("}") else { return nil }
  }
}

extension DataTypeOptions {
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    self.init(rawValue: 0)
    guard scan.skip("[") else { return nil }
    if scan.skip("]") { return }
    repeat {
      if scan.skip("\"turbulence\"") {
        insert(.turbulence)
      } else if scan.skip("\"pireps\"") {
        insert(.pireps)
      } else if scan.skip("\"traffic\"") {
        insert(.traffic)
      } else if scan.skip("\"turbulencePolygons\"") {
        insert(.turbulencePolygons)
      } else {
        return nil
      }
    } while scan.skip(",")
    guard scan.skip("]") else { return nil }
  }
}

extension SeveritySet {
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    self = []
    guard scan.skip("[") else { return nil }
    if scan.skip("]") { return }
    repeat {
      guard let code = scan.number(upTo: 9), let severity = TurbulenceSeverity(rawValue: UInt8(code)) else {
        return nil
      }
      insert(SeveritySet([severity]))
    } while scan.skip(",")
    guard scan.skip("]") else { return nil }
  }
}

extension Mark {
  /// Creates a mark from a payload in exactly the form that the engine writes; nil for any other form or kind.
  init?(canonical kind: Kind, _ payload: UnsafeRawBufferPointer) {
    var scan = CanonicalScanner(payload)
    switch kind {
    case .logSynced:
      guard scan.skip("\"through\":"), scan.number(upTo: .max) != nil else { return nil }
      if scan.skip(",\"chain\":"), scan.text() == nil { return nil }
      if scan.skip(",\"sums\":"), scan.text() == nil { return nil }
      if scan.skip(",\"kept\":"), scan.number(upTo: .max) == nil { return nil }
      if scan.skip(",\"signed\":"), scan.number(upTo: .max) == nil { return nil }
      if scan.skip(",\"key\":"), scan.text() == nil { return nil }
      if scan.skip(",\"signature\":"), scan.text() == nil { return nil }
      guard scan.isAtEnd else { return nil }
      self = .logSynced
    case .stateDigested:
      guard let digest = StateDigest(canonical: &scan), scan.isAtEnd else { return nil }
      self = .stateDigested(digest)
    default: return nil
    }
  }
}

extension StateDigest {
  fileprivate init?(canonical scan: inout CanonicalScanner) {
    guard scan.skip("\"scopes\":{") else { return nil }
    var scopes: [ScopeDigest] = []
    if !scan.skip("}") {
      repeat {
        guard let name = scan.string(), let scope = ScopeID(name: name), scan.skip(":\""), let digest = scan.hex16(),
          scan.skip("\"")
        else { return nil }
        scopes.append(ScopeDigest(scope: scope, digest: digest))
      } while scan.skip(",")
      guard scan.skip("}") else { return nil }
    }
    guard scan.skip(",\"control\":\""), let control = scan.hex16(), scan.skip("\"") else { return nil }
    self.init(scopes: scopes, control: control)
  }
}

extension CanonicalScanner {
  fileprivate mutating func areaScope() -> ScopeID? {
    if skip("corridor") { return .corridor }
    return skip("viewport") ? .viewport : nil
  }

  /// Reads an optional list of points: longitude and latitude in turn, up to the closing bracket.
  ///
  /// - Returns: Whether the list is missing, or was read into `points`; false for any other form.
  fileprivate mutating func points(after start: StaticString, into points: inout ResolvedQuery.Points?) -> Bool {
    guard skip(start) else { return true }
    var list: ResolvedQuery.Points = []
    if !skip("]") {
      // Few points take less than twelve bytes.
      list.reserveCapacity(min(rest.count / 12, Ring.maximumCount))
      // The longitude whose latitude is next.
      var longitude: Int64?
      if Self.readsIntegers {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: 2 * Ring.maximumCount + 32) { numbers in
          for number in numbers[..<integers(into: numbers)] {
            if let first = longitude {
              list.append(FixedCoordinate(latitudeE7: number, longitudeE7: first))
              longitude = nil
            } else {
              longitude = number
            }
          }
        }
      }
      repeat {
        if longitude == nil {
          longitude = integer()
          guard skip(",") else { return false }
        }
        guard let first = longitude, let latitude = integer() else { return false }
        list.append(FixedCoordinate(latitudeE7: latitude, longitudeE7: first))
        longitude = nil
      } while skip(",")
      guard skip("]") else { return false }
    }
    points = list
    return true
  }
}

extension Kind {
  /// Creates the kind with the given name, without allocating a string for the most frequent kinds.
  package init?(_ name: UnsafeRawBufferPointer) {
    var scan = CanonicalScanner(name)
    let (kind, text): (Kind, StaticString) =
      switch name.count {
      case 10: (.logSynced, "log.synced")
      case 12: (.clockTicked, "clock.ticked")
      case 13 where name[0] == UInt8(ascii: "q"): (.queryChanged, "query.changed")
      case 13: (.fetchStarted, "fetch.started")
      case 14: (.stateDigested, "state.digested")
      default: (.responseReceived, "response.received")
      }
    if scan.skip(text), scan.isAtEnd {
      self = kind
    } else {
      self.init(rawValue: String(decoding: name, as: UTF8.self))
    }
  }
}
