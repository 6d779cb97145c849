import ContrailWire

/// The bytes that were used of a budget, and what is dropped because of them or of the link.
package struct ByteUse: Sendable, Equatable {
  package internal(set) var budget = ByteBudget()
  package internal(set) var link = LinkCost()
  /// The bytes used in the current period; 0 without a limit.
  package internal(set) var used: Int64 = 0
  /// The day that is counted, in days since 1970; 0 for a flight.
  package internal(set) var day: Int64 = 0
  /// The saving that the log contains.
  var logged = DataSaving.off

  private static let dayMS: Int64 = 86_400_000

  /// What is dropped now.
  package var saving: DataSaving {
    var saving = budget.saving(afterUsing: used)
    if link.isExpensive, budget.savesOnExpensiveLink { saving = max(saving, .noTraffic) }
    if link.isConstrained, budget.savesOnConstrainedLink { saving = max(saving, .slowSurroundings) }
    return saving
  }

  /// The time at which a used budget begins again, in milliseconds; nil if nothing but time is awaited.
  var wakesAt: Int64? {
    guard case .day = budget.period, budget.saving(afterUsing: used) != .off else { return nil }
    return (day + 1) * Self.dayMS
  }

  /// Begins a new day.
  mutating func advance(to now: Int64) {
    guard case .some = budget.bytes, case .day = budget.period, now / Self.dayMS > day else { return }
    day = now / Self.dayMS
    used = 0
  }

  /// Changes the budget. In the same period, what was counted stays counted.
  mutating func change(to budget: ByteBudget, at now: Int64) {
    if budget.bytes == nil || self.budget.bytes == nil || budget.period != self.budget.period { used = 0 }
    self.budget = budget
    if case .some = budget.bytes, case .day = budget.period { day = now / Self.dayMS } else { day = 0 }
  }

  /// Counts the bytes of an input.
  mutating func count(_ input: Input) {
    guard case .some = budget.bytes else { return }
    used = min(used + input.transferredBytes, .max / 4)
  }
}

extension Input {
  /// The bytes that an input received and sent, as far as it tells; 0 for most inputs.
  package var transferredBytes: Int64 {
    func sum(_ received: Int64, _ sent: Int64 = 0) -> Int64 {
      min(max(received, 0), ByteBudget.maximumBytes) + min(max(sent, 0), ByteBudget.maximumBytes)
    }
    return switch self {
    case .responseReceived(let it): sum(it.wireBytes, it.sent?.total ?? 0)
    case .responseFailed(_, _, let sent): sum(sent?.total ?? 0)
    case .weatherReceived(let it): sum(it.wireBytes)
    case .airportsDownloaded(let it): sum(it.wireBytes)
    default: 0
    }
  }
}

extension State {
  /// Logs that another part of the data is dropped.
  func decideSaving(_ decisions: inout [Decision]) {
    let saving = byteUse.saving
    guard saving != byteUse.logged else { return }
    decisions.append(
      .savingChanged(.init(saving: saving, used: byteUse.used, budget: byteUse.budget.bytes, cause: cause)))
  }
}

extension Scope {
  /// What is wanted, without what isn't fetched to save bytes; nil if nothing is left of it.
  func affordable(_ want: FetchSpec, _ saving: DataSaving) -> FetchSpec? {
    if saving == .off { return want }
    if saving == .spent || saving == .corridorOnly && id != .corridor { return nil }
    guard want.types.contains(.traffic) else { return want }
    var want = want
    want.filter.types.remove(.traffic)
    return want.types.isEmpty ? nil : want
  }

  /// The update interval of the scope, or the longest time until a confirmation if it is shorter; nil if data is updated on request only.
  func intervalMS(_ context: Context) -> Int64? {
    guard var interval = context.intervalMS else { return nil }
    if id.hasDeltas { interval = min(interval, context.listening.settings.confirmationMS) }
    let isSlow = context.saving >= .slow || context.saving == .slowSurroundings && id != .corridor
    return isSlow ? max(interval, DataUpdateFrequency.minimal.intervalMS ?? interval) : interval
  }
}

// MARK: JSON in the control part

extension ByteUse {
  func write(to json: inout JSONWriter) {
    json.object { json in
      budget.writeMembers(to: &json)
      if link != LinkCost() { link.writeMembers(to: &json) }
      json.member("used", used)
      json.member("day", day)
      json.member("saving", logged.rawValue)
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    self.init()
    try json.object { (key, json) throws(JSONError) in
      guard try !budget.read(key, &json) else { return }
      switch key {
      case "expensive": link.isExpensive = try json.bool()
      case "constrained": link.isConstrained = try json.bool()
      case "used": used = try json.integer(in: 0...Int64.max / 4)
      case "day": day = try json.integer(in: 0...State.maximumMS / Self.dayMS)
      case "saving": logged = try json.named()
      default: try json.skipValue()
      }
    }
  }
}
