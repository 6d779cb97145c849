public import ContrailWire

/// The PIREPs that a scope holds: one a key, the newest update of each.
public struct PIREPSet: Sendable, Equatable {
  private var byID: [String: PIREP] = [:]
  /// The sum mod 2⁶⁴ of the digests of the PIREPs that are held.
  public private(set) var checksum: UInt64 = 0

  public init() {}

  public var count: Int { byID.count }

  /// Adds a PIREP unless one with its key and an update as new or newer is held.
  public mutating func insert(_ pirep: PIREP) {
    if let held = byID[pirep.id] {
      guard pirep.updatedAt > held.updatedAt else { return }
      checksum &-= held.digest
    }
    byID[pirep.id] = pirep
    checksum &+= pirep.digest
  }

  /// Drops every PIREP observed at `second` or before.
  public mutating func removeAll(observedUpTo second: Int64) {
    for (id, pirep) in byID where pirep.observedAt <= second {
      checksum &-= pirep.digest
      byID[id] = nil
    }
  }

  /// The PIREP of a key.
  public subscript(id: String) -> PIREP? { byID[id] }

  /// What it takes to make this set out of `previous`; a PIREP that was updated is both removed and added.
  ///
  /// - Complexity: O(1) for two copies of one set, else O(*n*).
  public func difference(from previous: PIREPSet) -> RecordDifference<PIREP> {
    var difference = RecordDifference<PIREP>()
    guard self != previous else { return difference }
    for (id, pirep) in byID {
      let held = previous.byID[id]
      // Texts that Unicode holds for equal may differ in their bytes.
      if let held, held == pirep, held.digest == pirep.digest, held.text.utf8.elementsEqual(pirep.text.utf8) {
        continue
      }
      if let held { difference.removed.append(held) }
      difference.added.append(pirep)
    }
    for (id, pirep) in previous.byID where byID[id] == nil { difference.removed.append(pirep) }
    return difference
  }

  /// The PIREPs by time, then key.
  public var sorted: [PIREP] {
    byID.values.sorted { ($0.observedAt, $0.id) < ($1.observedAt, $1.id) }
  }
}
