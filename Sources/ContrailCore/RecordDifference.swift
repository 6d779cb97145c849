/// What it takes to make one set of records out of another.
public struct RecordDifference<Record: Sendable & Hashable>: Sendable, Equatable {
  /// The records that the other set does not hold, in no order.
  public var added: [Record] = []
  /// The records that only the other set holds, in no order.
  public var removed: [Record] = []

  public init() {}

  /// Whether both hold the same records.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
