package import ContrailWire

/// The PIREPs that a scope holds: the newest update of each, by identifier.
package struct PIREPSet: Sendable, Equatable {
  private var byID: [Key: PIREP] = [:]
  /// The sum mod 2⁶⁴ of the digests of all stored PIREPs.
  package private(set) var checksum: UInt64 = 0

  /// The count and the checksum.
  var sum: HeldSum { HeldSum(count: count, checksum: checksum) }

  package init() {}

  package var count: Int { byID.count }

  /// An identifier compared by its bytes: the server may distinguish strings that Unicode considers equal.
  private struct Key: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ id: String) { bytes = Array(id.utf8) }
  }

  /// Adds a PIREP, unless a newer update of it is already stored.
  ///
  /// Of two updates with the same time, the result doesn't depend on the order of insertion.
  package mutating func insert(_ pirep: PIREP) {
    let key = Key(pirep.id)
    if let held = byID[key] {
      guard Self.supersedes(pirep, held) else { return }
      checksum &-= held.digest
    }
    byID[key] = pirep
    checksum &+= pirep.digest
  }

  private static func supersedes(_ pirep: PIREP, _ held: PIREP) -> Bool {
    guard pirep.updatedAt == held.updatedAt else { return pirep.updatedAt > held.updatedAt }
    return held.bytes.lexicographicallyPrecedes(pirep.bytes)
  }

  /// Removes every PIREP observed at or before `second`.
  package mutating func removeAll(observedUpTo second: Int64) {
    if byID.isEmpty { return }
    for (key, pirep) in byID where pirep.observedAt <= second {
      checksum &-= pirep.digest
      byID[key] = nil
    }
  }

  /// Returns the changes that turn `previous` into this set. An updated PIREP is both removed and added.
  ///
  /// - Complexity: O(1) for two copies of one set, otherwise O(*n*).
  package func difference(from previous: PIREPSet) -> RecordDifference<PIREP> {
    var difference = RecordDifference<PIREP>()
    guard self != previous else { return difference }
    for (key, pirep) in byID {
      let held = previous.byID[key]
      // Strings that Unicode considers equal may differ in their bytes.
      if let held, held == pirep, held.text.utf8.elementsEqual(pirep.text.utf8) { continue }
      if let held { difference.removed.append(held) }
      difference.added.append(pirep)
    }
    for (key, pirep) in previous.byID where byID[key] == nil { difference.removed.append(pirep) }
    return difference
  }

  /// Calls `body` with each PIREP, in unspecified order.
  func forEach(_ body: (PIREP) -> Void) { byID.values.forEach(body) }

  /// The PIREPs, sorted by time, then identifier.
  package var sorted: [PIREP] {
    byID.values.sorted { a, b in
      a.observedAt == b.observedAt ? a.id.utf8.lexicographicallyPrecedes(b.id.utf8) : a.observedAt < b.observedAt
    }
  }
}

extension PIREP {
  /// The JSON encoding of the report.
  fileprivate var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }
}
