/// The changes that turn one set of records into another.
public struct RecordDifference<Record: Sendable & Hashable>: Sendable, Equatable {
  /// The records that only the new set contains, in unspecified order.
  public var added: [Record] = []
  /// The records that only the old set contains, in unspecified order.
  public var removed: [Record] = []

  public init() {}

  /// Whether both sets contain the same records.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
