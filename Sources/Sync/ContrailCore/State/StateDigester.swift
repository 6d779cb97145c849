import ContrailWire

/// Computes the digests of a changing state, and repeats only the work for changed parts.
///
/// The results are those of `State.digest`. Texts of rings and hashes of bodies are kept as long as the state holds the
/// same array.
package struct StateDigester: Sendable {
  /// The control parts that are kept, one after the other.
  private var json = JSONWriter()
  /// The end of each control part that is kept.
  private var ends: [Int] = []
  private var hashes = BodyHashes()

  package init() {
    json.pointTexts = PointTexts()
  }

  /// Returns the same as `State.digest`.
  ///
  /// - Complexity: O(scopes + bytes of the control part).
  package mutating func digest(of state: borrowing State) -> StateDigest {
    let start = json.count
    writeControl(of: state)
    let control = json.withBytes { Digest.hash(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    json.removeAll(from: start)
    return StateDigest(scopes: scopes(of: state), control: control)
  }

  /// Returns the digests of the scopes that hold data.
  package mutating func scopes(of state: borrowing State) -> [StateDigest.ScopeDigest] {
    hashes.startNext()
    return state.scopeDigests(&hashes)
  }

  /// Keeps the control part of a state, to hash it later together with others; at most `Digest.laneCount` in all.
  package mutating func keepControl(of state: borrowing State) {
    writeControl(of: state)
    ends.append(json.count)
  }

  /// The number of control parts that are kept.
  package var keptCount: Int { ends.count }

  /// Returns the digests of the control parts that were kept, and forgets them.
  package mutating func hashKept() -> [UInt64] {
    let hashes = json.withBytes { Digest.hashes(of: $0, endingAt: ends) }
    json.removeAll()
    ends.removeAll(keepingCapacity: true)
    return hashes
  }

  private mutating func writeControl(of state: borrowing State) {
    json.removeAll(from: json.count)
    json.pointTexts?.startNext()
    state.writeControl(to: &json)
  }
}

/// The hashes of response bodies, kept to be used again for the same body.
///
/// A body is recognized by its storage, which is kept with the hash.
struct BodyHashes: Sendable {
  private struct Entry {
    let body: [UInt8]
    let hash: UInt64
    var isUsed = true
  }

  /// The maximum number of bodies, which limits the time of a search.
  private static let maximumCount = 32

  private var entries: [Entry] = []

  /// Discards bodies that were not hashed since the last call.
  mutating func startNext() {
    entries.removeAll { !$0.isUsed }
    for index in entries.indices { entries[index].isUsed = false }
  }

  /// Returns the same as `Digest.hash`.
  mutating func hash(_ body: [UInt8]) -> UInt64 {
    for index in entries.indices where Self.haveSameStorage(entries[index].body, body) {
      entries[index].isUsed = true
      return entries[index].hash
    }
    let hash = Digest.hash(body)
    if entries.count < Self.maximumCount { entries.append(Entry(body: body, hash: hash)) }
    return hash
  }

  private static func haveSameStorage(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count
      && a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress } }
  }
}
