public import ContrailCore

/// The bytes used of a budget, and what is dropped to save bytes.
public struct ByteStatus: Sendable, Hashable {
  /// The bytes used in the flight or the day, in both directions; 0 without a limit.
  public let used: Int64
  /// The bytes that are left; nil without a limit. Negative if answers under way exceeded the budget.
  public let left: Int64?
  /// The bytes received and sent since the launch, with or without a limit. As in ``used``, searches of airports and weather without a client
  /// aren't counted.
  public let sessionBytes: Int64
  /// What is dropped, because of the budget or the link.
  public let saving: DataSaving

  package init(_ shown: Shown) {
    let state = shown.state
    sessionBytes = shown.sessionBytes
    used = state.byteUse.used
    left = state.byteUse.budget.bytes.map { $0 - state.byteUse.used }
    saving = state.byteUse.saving
  }
}
