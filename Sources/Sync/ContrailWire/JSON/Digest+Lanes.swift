import CContrail

extension Digest {
  /// The maximum number of texts that are hashed at the same time.
  package static let laneCount = Int(CONTRAIL_HASH_LANES)

  /// The number of texts at which hashing them together takes the least time for each: with vectors, one.
  package static let textsAtOnce = hashesByVectors ? 1 : laneCount

  private static let hashesByVectors = contrail_hashes_by_vectors()

  /// Returns ``hash(_:)`` of each of some texts, which are hashed at the same time.
  ///
  /// Each byte's step of the hash waits for the one before it. With vector instructions, 512 steps of one text are done
  /// together. Without, four texts at once take hardly longer than one.
  ///
  /// - Parameters:
  ///   - texts: The texts, one after the other.
  ///   - ends: The end of each text; at most ``laneCount``.
  ///   - usesVectors: Whether to use vector instructions, if available. The result is the same.
  /// - Complexity: O(*n*) in the bytes of the texts.
  package static func hashes(
    of texts: UnsafeRawBufferPointer, endingAt ends: [Int], usesVectors: Bool = true
  ) -> [UInt64] {
    precondition(ends.count <= laneCount && ends.last ?? 0 <= texts.count)
    var hashes = [UInt64](repeating: basis, count: ends.count)
    if let base = texts.baseAddress {
      contrail_hash_texts(
        base.assumingMemoryBound(to: UInt8.self), ends, ends.count, usesVectors && hashesByVectors, &hashes)
    }
    return hashes.map { mix($0) }
  }
}
