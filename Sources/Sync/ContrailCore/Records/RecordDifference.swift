/// The changes that turn one set of records into another.
package struct RecordDifference<Record: Sendable & Hashable>: Sendable, Equatable {
  /// The records that only the new set contains, in unspecified order.
  package var added: [Record] = []
  /// The records that only the old set contains, in unspecified order.
  package var removed: [Record] = []

  package init() {}

  /// Whether both sets contain the same records.
  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}
