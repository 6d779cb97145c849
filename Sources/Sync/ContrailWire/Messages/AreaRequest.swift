/// A request for the delta of an area that the server remembers: `GET /areas/{handle}?since=…`.
///
/// The query contains only what differs from the defaults: turbulence of all severities and altitudes within two hours.
package struct AreaRequest: Hashable, Sendable, Filtered {
  /// The server's handle for the area: 1 to 32 letters, digits, hyphens and underscores.
  package var handle: String
  package var filter: Filter
  /// The watermark that the delta starts from, in seconds since 1970; nil for a full fetch.
  package var since: Int64?
  /// The checksum of the traffic that the client holds as of the watermark; nil if it holds none. The answer may then contain
  /// the changes to it.
  package var heldTraffic: UInt32?
  /// How long the server may hold the request; nil for an answer at once. Its time is in a header field, see ``HoldTerms/field``.
  package var hold: HoldTerms?

  package init(
    handle: String, filter: Filter = Filter(), since: Int64? = nil, heldTraffic: UInt32? = nil, hold: HoldTerms? = nil
  ) {
    self.handle = handle
    self.filter = filter
    self.since = since
    self.heldTraffic = heldTraffic
    self.hold = hold
  }

  /// Returns the request that a client sends after an answer.
  package func following(_ answer: ObservationsAnswer) -> AreaRequest {
    var next = self
    next.since = answer.token
    let traffic = answer.traffic ?? []
    next.heldTraffic = traffic.isEmpty ? nil : TrafficPosition.checksum(of: traffic)
    return next
  }

  /// The path before the handle, relative to the server URL.
  package static let prefix = "/areas/"

  /// The path of a repair before the handle, relative to the server URL.
  package static let repairPrefix = "/repairs/"

  /// The path and the query of a repair: `POST /repairs/{handle}` with a ``RecordSketch``.
  package var repairTarget: String { Self.repairPrefix + target.dropFirst(Self.prefix.count) }

  /// Whether a handle can be part of a path.
  package static func isHandle(_ handle: String) -> Bool {
    (1...32).contains(handle.utf8.count)
      && handle.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// The path and the query.
  package var target: String { Self.target(of: [self]) }

  /// What separates the values of several requests.
  private static let separator: Character = "~"
  /// The maximum number of requests in one.
  package static let maximumCount = 8

  /// Returns the path and the query of several requests in one: `/areas/k3~k4?since=1740000060&traffic=1a~2b`. A value that is the
  /// same for all stands there once.
  package static func target(of requests: [AreaRequest]) -> String {
    target(of: requests, items: items(of: requests))
  }

  /// Returns the path and the query of several requests in one without the values that change with each update, and these as header
  /// fields: `/areas/k3~k4` with `Contrail-Since: 1740000060` and `Contrail-Traffic: 1a~2b`. What the client asks of a server that
  /// holds requests is the same for many updates, and stays in the query.
  ///
  /// HTTP/2 then knows the whole path from the update before, and writes it in one byte.
  package static func targetAndFields(
    of requests: [AreaRequest]
  ) -> (target: String, fields: [(name: String, value: String)]) {
    var constant: [(name: String, value: String)] = []
    var fields: [(name: String, value: String)] = []
    for item in items(of: requests) {
      switch item.name {
      case "since": fields.append((WireHeader.since, item.value))
      case "traffic": fields.append((WireHeader.traffic, item.value))
      default: constant.append(item)
      }
    }
    return (target(of: requests, items: constant), fields)
  }

  private static func target(of requests: [AreaRequest], items: [(name: String, value: String)]) -> String {
    let handles = requests.map { $0.handle }.joined(separator: String(separator))
    let query = items.map { $0.name + "=" + $0.value }.joined(separator: "&")
    return prefix + handles + (query.isEmpty ? "" : "?" + query)
  }

  /// Returns the names and values of the query. Items with their default value are left out.
  private static func items(of requests: [AreaRequest]) -> [(name: String, value: String)] {
    func item(_ name: String, _ value: (AreaRequest) -> String) -> (name: String, value: String)? {
      let values = requests.map(value)
      if values.allSatisfy({ $0.isEmpty }) { return nil }
      let isSame = values.allSatisfy { $0 == values[0] }
      return (name, isSame ? values[0] : values.joined(separator: String(separator)))
    }
    return [
      item("since") { $0.since.map { "\($0)" } ?? "" },
      item("hours") { $0.history == .twoHours ? "" : hours($0.history) },
      // Words would be a quarter of the bytes of a delta.
      item("types") { $0.types == .turbulence ? "" : "\($0.types.rawValue)" },
      item("sevs") { request in
        if request.severities == .all { return "" }
        return request.severities.severities.map { "\($0.rawValue)" }.joined(separator: ",")
      },
      item("alts") { $0.altitudes == .all ? "" : "\($0.altitudes.lower)-\($0.altitudes.upper)" },
      item("traffic") { $0.heldTraffic.map { String($0, radix: 36) } ?? "" },
    ].compactMap { $0 }
      + ["urgent", "urgentAlts", "by"].compactMap { name in
        item(name) { $0.hold?.items.first { $0.name == name }?.value ?? "" }
      }
  }

  /// Creates the requests of a path and a query.
  ///
  /// - Parameters:
  ///   - handles: The path after ``prefix``.
  ///   - items: The names and values of the query.
  ///   - wait: The time that the server may hold the request, in seconds; nil for an answer at once.
  /// - Throws: ``WireError`` if a value is invalid, a name unknown, or the number of values isn't that of the handles.
  package static func requests(
    handles: String, items: [(name: String, value: String)], wait: Int64? = nil
  ) throws(WireError) -> [AreaRequest] {
    let names = handles.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    guard (1...maximumCount).contains(names.count) else { throw WireError.parameter("handle", value: handles) }
    var own = Array(repeating: [(name: String, value: String)](), count: names.count)
    for (name, value) in items {
      let values = value.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      guard values.count == 1 || values.count == names.count else { throw WireError.parameter(name, value: value) }
      for index in names.indices {
        let part = values.count == 1 ? value : values[index]
        // Among several, an empty value is the default.
        if values.count == 1 || !part.isEmpty { own[index].append((name, part)) }
      }
    }
    var requests: [AreaRequest] = []
    for (handle, items) in zip(names, own) {
      requests.append(try AreaRequest(handle: handle, items: items, wait: wait))
    }
    return requests
  }

  /// Creates a request from a path and a query.
  ///
  /// - Parameters:
  ///   - handle: The path after ``prefix``.
  ///   - items: The names and values of the query.
  ///   - wait: The time that the server may hold the request, in seconds; nil for an answer at once.
  /// - Throws: ``WireError`` if a value is invalid, or a name unknown.
  package init(handle: String, items: [(name: String, value: String)], wait: Int64? = nil) throws(WireError) {
    self.init(handle: handle)
    var terms = HoldTerms(seconds: wait ?? 0)
    guard Self.isHandle(handle) else { throw WireError.parameter("handle", value: handle) }
    for (name, value) in items {
      switch name {
      case "since":
        guard let second = Int64(value), (0...Int64(UInt32.max)).contains(second) else {
          throw WireError.parameter(name, value: value)
        }
        since = second
      case "hours":
        guard let history = DataHistoryTime.allCases.first(where: { Self.hours($0) == value }) else {
          throw WireError.parameter(name, value: value)
        }
        self.history = history
      case "types":
        guard let known = UInt8(value).map({ DataTypeOptions(rawValue: $0) }), known.isSubset(of: .areaTypes) else {
          throw WireError.parameter(name, value: value)
        }
        types = known
      case "sevs":
        severities = []
        for part in value.split(separator: ",") {
          guard let severity = UInt8(part).flatMap({ TurbulenceSeverity(rawValue: $0) }) else {
            throw WireError.parameter(name, value: value)
          }
          severities.insert(SeveritySet([severity]))
        }
      case "alts": altitudes = try AltitudeBand(name, value)
      case "traffic":
        guard let checksum = UInt32(value, radix: 36) else { throw WireError.parameter(name, value: value) }
        heldTraffic = checksum
      default: guard try terms.set(name, value) else { throw WireError.parameter(name, value: value) }
      }
    }
    if wait != nil { hold = terms }
  }

  private static func hours(_ history: DataHistoryTime) -> String {
    "\(history.seconds / 3600)" + (history.seconds % 3600 == 0 ? "" : ".5")
  }
}
