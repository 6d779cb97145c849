import ContrailCore
import ContrailWire

/// What may be fetched under a byte budget, worked out by the design's words and apart from the engine's state.
struct ByteBook {
  private var budget = ByteBudget()
  private var link = LinkCost()
  private(set) var used: Int64 = 0
  private var day: Int64 = 0

  /// A process begins with what the log holds.
  mutating func begin(_ state: State) {
    // A digest of the state after midnight isn't an input, and begins no day.
    (budget, used, day, link) = (state.byteUse.budget, state.byteUse.used, state.byteUse.day, LinkCost())
  }

  /// Takes an input; the time is the log's, in milliseconds.
  mutating func apply(_ input: Input, at now: Int64) {
    if case .day = budget.period, now / 86_400_000 > day { used = 0 }
    day = now / 86_400_000
    switch input {
    case .sessionStarted: link = LinkCost()
    case .linkChanged(let cost): link = cost
    case .budgetChanged(let new):
      if new.bytes == nil || budget.bytes == nil || new.period != budget.period { used = 0 }
      budget = new
    case .responseReceived(let it): count(it.wireBytes + (it.sent?.total ?? 0))
    case .responseFailed(_, _, let sent): count(sent?.total ?? 0)
    case .weatherReceived(let it): count(it.wireBytes)
    case .airportsDownloaded(let it): count(it.wireBytes)
    default: break
    }
  }

  private mutating func count(_ bytes: Int64) { if budget.bytes != nil { used += bytes } }

  /// The parts of 16 that are used, and the saving that belongs to them.
  private static let steps: [(sixteenths: Int64, saving: DataSaving)] = [
    (16, .spent), (15, .corridorOnly), (14, .slow), (12, .slowSurroundings), (8, .noTraffic),
  ]

  var saving: DataSaving {
    var saving = DataSaving.off
    if let bytes = budget.bytes {
      // What is left is compared with a part rounded down.
      saving =
        Self.steps.first { bytes - used <= bytes * (16 - $0.sixteenths) / 16 }?.saving ?? .off
    }
    if link.isExpensive, budget.savesOnExpensiveLink { saving = max(saving, .noTraffic) }
    if link.isConstrained, budget.savesOnConstrainedLink { saving = max(saving, .slowSurroundings) }
    return saving
  }
}
