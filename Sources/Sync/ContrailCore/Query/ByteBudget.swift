import ContrailWire

/// How many bytes the client may use, and whether it saves bytes on an expensive or constrained link.
///
/// Bytes count in both directions, with the heads of requests and answers. As the budget is used up, data is dropped in a fixed order;
/// see ``DataSaving``. No request begins when nothing is left; the answers to requests under way are still taken.
///
/// ```swift
/// client.byteBudget = ByteBudget(bytes: 500_000, per: .flight("XY123 2026-11-26"))
/// ```
public struct ByteBudget: Hashable, Sendable {
  /// The number of bytes; nil for no limit. A negative number means 0.
  public var bytes: Int64?
  /// The time for which the bytes last. With another flight, counting begins again.
  public var period: Period
  /// Whether a link that the system calls expensive is used as if half of the budget were used. The default is true.
  public var savesOnExpensiveLink = true
  /// Whether a link that the system calls constrained is used as if three quarters of the budget were used. The default is true.
  public var savesOnConstrainedLink = true

  /// The time for which a budget lasts.
  public enum Period: Hashable, Sendable {
    /// A day in UTC, by the device's clock.
    case day
    /// A flight: any text that differs from those of other flights. Its first 1,024 Unicode scalars count.
    case flight(String)
  }

  /// Creates a budget.
  public init(bytes: Int64? = nil, per period: Period = .day) {
    self.bytes = bytes
    self.period = period
  }

  /// This budget with values that a log can contain.
  package var normalized: ByteBudget {
    var budget = self
    budget.bytes = bytes.map { min(max($0, 0), Self.maximumBytes) }
    if case .flight(let flight) = period {
      budget.period = .flight(String(flight.unicodeScalars.prefix(Self.maximumFlightScalars)))
    }
    return budget
  }

  static let maximumBytes: Int64 = 1 << 53
  /// The maximum length of a flight's text. Encoded, it is shorter than ``Members/maximumTextBytes``.
  private static let maximumFlightScalars = 1024

  /// Returns what is dropped after some bytes are used.
  package func saving(afterUsing used: Int64) -> DataSaving {
    guard let bytes else { return .off }
    let left = bytes - used
    if left <= 0 { return .spent }
    if left <= bytes / 16 { return .corridorOnly }
    if left <= bytes / 8 { return .slow }
    if left <= bytes / 4 { return .slowSurroundings }
    return left <= bytes / 2 ? .noTraffic : .off
  }
}

/// What the client drops to save bytes. Each level drops what the levels before it drop, too.
public enum DataSaving: String, CaseIterable, Hashable, Sendable, Comparable {
  /// Nothing is dropped.
  case off
  /// From half of the budget: no traffic is fetched, and airports aren't loaded automatically.
  case noTraffic
  /// From three quarters: the viewport, polygons and weather are updated every 15 minutes at most.
  case slowSurroundings
  /// From seven eighths: the corridor, too. Urgent news is still answered at once, if the server holds requests.
  case slow
  /// From fifteen sixteenths: only the corridor is fetched, and ownship reports are sent.
  case corridorOnly
  /// Nothing is left: no request is sent until the next day or flight, or a larger budget.
  case spent

  private var level: Int {
    switch self {
    case .off: 0
    case .noTraffic: 1
    case .slowSurroundings: 2
    case .slow: 3
    case .corridorOnly: 4
    case .spent: 5
    }
  }

  public static func < (a: DataSaving, b: DataSaving) -> Bool { a.level < b.level }
}

/// What the system says of the link.
public struct LinkCost: Hashable, Sendable {
  /// Whether the link is expensive, such as a cellular network.
  public var isExpensive: Bool
  /// Whether the user asks for little data on the link.
  public var isConstrained: Bool

  public init(isExpensive: Bool = false, isConstrained: Bool = false) {
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
  }
}

// MARK: JSON

extension ByteBudget {
  func writeMembers(to json: inout JSONWriter) {
    if let bytes { json.member("budget", bytes) }
    if case .flight(let flight) = period { json.member("flight", flight) }
    if !savesOnExpensiveLink { json.member("savesOnExpensive", savesOnExpensiveLink) }
    if !savesOnConstrainedLink { json.member("savesOnConstrained", savesOnConstrainedLink) }
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      bytes: try members.optional("budget") { (json) throws(JSONError) in try json.integer(in: 0...Self.maximumBytes) },
      per: try members.optionalString("flight").map { .flight($0) } ?? .day)
    savesOnExpensiveLink =
      try members.optional("savesOnExpensive") { (json) throws(JSONError) in try json.bool() } ?? true
    savesOnConstrainedLink =
      try members.optional("savesOnConstrained") { (json) throws(JSONError) in try json.bool() } ?? true
  }

  /// Reads the member's value if `key` names one of these members; returns whether it did.
  mutating func read(_ key: JSONKey, _ json: inout JSONReader) throws(JSONError) -> Bool {
    switch key {
    case "budget": bytes = try json.integer(in: 0...Self.maximumBytes)
    case "flight": period = .flight(try json.string())
    case "savesOnExpensive": savesOnExpensiveLink = try json.bool()
    case "savesOnConstrained": savesOnConstrainedLink = try json.bool()
    default: return false
    }
    return true
  }
}

extension LinkCost {
  func writeMembers(to json: inout JSONWriter) {
    json.member("expensive", isExpensive)
    json.member("constrained", isConstrained)
  }
}
