/// A request for the delta of an area that the server remembers: `GET /areas/{handle}?since=…`.
///
/// The query contains only what differs from the defaults: turbulence of all severities and altitudes within two hours.
package struct AreaRequest: Hashable, Sendable {
  /// The server's handle for the area: 1 to 32 letters, digits, hyphens and underscores.
  package var handle: String
  package var types: DataTypeOptions
  package var severities: SeveritySet
  package var altitudes: AltitudeBand
  package var history: DataHistoryTime
  /// The watermark that the delta starts from, in seconds since 1970; nil for a full fetch.
  package var since: Int64?
  /// The checksum of the traffic that the client holds as of the watermark; nil if it holds none. The answer may then contain
  /// the changes to it.
  package var heldTraffic: UInt32?

  package init(
    handle: String, types: DataTypeOptions = .turbulence, severities: SeveritySet = .all,
    altitudes: AltitudeBand = .all, history: DataHistoryTime = .twoHours, since: Int64? = nil,
    heldTraffic: UInt32? = nil
  ) {
    self.handle = handle
    self.types = types
    self.severities = severities
    self.altitudes = altitudes
    self.history = history
    self.since = since
    self.heldTraffic = heldTraffic
  }

  /// The path before the handle, relative to the server URL.
  package static let prefix = "/areas/"

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
  package var target: String {
    var items: [String] = []
    if let since { items.append("since=\(since)") }
    if history != .twoHours { items.append("hours=\(Self.hours(history))") }
    // Words would be a quarter of the bytes of a delta.
    if types != .turbulence { items.append("types=\(types.rawValue)") }
    if severities != .all {
      items.append("sevs=" + severities.severities.map { "\($0.rawValue)" }.joined(separator: ","))
    }
    if altitudes != .all { items.append("alts=\(altitudes.lower)-\(altitudes.upper)") }
    if let heldTraffic { items.append("traffic=" + String(heldTraffic, radix: 36)) }
    return Self.prefix + handle + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// Creates a request from a path and a query.
  ///
  /// - Parameters:
  ///   - handle: The path after ``prefix``.
  ///   - items: The names and values of the query.
  /// - Throws: ``WireError`` if a value is invalid, or a name unknown.
  package init(handle: String, items: [(name: String, value: String)]) throws(WireError) {
    self.init(handle: handle)
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
      case "alts":
        let ends = value.split(separator: "-").map { Int64($0) }
        guard ends.count == 2, let lower = ends[0], let upper = ends[1],
          let band = AltitudeBand(lower: lower, upper: upper)
        else { throw WireError.parameter(name, value: value) }
        altitudes = band
      case "traffic":
        guard let checksum = UInt32(value, radix: 36) else { throw WireError.parameter(name, value: value) }
        heldTraffic = checksum
      default: throw WireError.parameter(name, value: value)
      }
    }
  }

  private static func hours(_ history: DataHistoryTime) -> String {
    "\(history.seconds / 3600)" + (history.seconds % 3600 == 0 ? "" : ".5")
  }
}
