import CContrailVectors

extension Digest {
  /// The maximum number of texts in a ``Texts``.
  package static let laneCount = Int(CONTRAIL_HASH_LANES)

  /// A few texts that are hashed at the same time.
  ///
  /// Each byte's step of the hash waits for the one before it. Four texts at once take hardly longer than one.
  package struct Texts: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    private static let hasVectors = contrail_hashes_by_vectors()

    package init() {}

    /// The number of texts.
    package var count: Int { ends.count }

    /// Adds a text; at most ``Digest/laneCount`` in all.
    package mutating func append(_ text: UnsafeRawBufferPointer) {
      precondition(count < Digest.laneCount)
      bytes.append(contentsOf: text)
      ends.append(bytes.count)
    }

    /// Discards the texts and keeps the storage.
    package mutating func removeAll() {
      bytes.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
    }

    /// Returns ``Digest/hash(_:)`` of each text.
    ///
    /// - Parameter usesVectors: Whether to use vector instructions, if available. The result is the same.
    /// - Complexity: O(*n*) in the bytes of the texts.
    package func hashes(usesVectors: Bool = true) -> [UInt64] {
      var hashes = [UInt64](repeating: Digest.basis, count: count)
      bytes.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        contrail_hash_texts(base, ends, count, usesVectors && Self.hasVectors, &hashes)
      }
      return hashes.map { Digest.mix($0) }
    }
  }
}
