extension Digest {
  /// The number of texts that ``hashes(of:)`` hashes at the same time.
  package static let laneCount = 4

  /// Returns ``hash(_:)`` of each text.
  ///
  /// Each byte's step of the hash waits for the one before it. Four texts at once take hardly longer than one.
  ///
  /// - Complexity: O(*n*) in the bytes of the longest text of each group of four.
  package static func hashes(of texts: [[UInt8]]) -> [UInt64] {
    var hashes: [UInt64] = []
    var rest = texts[...]
    while rest.count >= laneCount {
      let four = rest.prefix(laneCount)
      rest = rest.dropFirst(laneCount)
      let start = four.startIndex
      hashes += fourHashes(four[start], four[start + 1], four[start + 2], four[start + 3])
    }
    return hashes + rest.map { hash($0) }
  }

  private static func fourHashes(_ a: [UInt8], _ b: [UInt8], _ c: [UInt8], _ d: [UInt8]) -> [UInt64] {
    let common = min(a.count, b.count, c.count, d.count)
    var (hashA, hashB, hashC, hashD) = (basis, basis, basis, basis)
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        c.withUnsafeBufferPointer { c in
          d.withUnsafeBufferPointer { d in
            for index in 0..<common {
              hashA = (hashA ^ UInt64(a[index])) &* prime
              hashB = (hashB ^ UInt64(b[index])) &* prime
              hashC = (hashC ^ UInt64(c[index])) &* prime
              hashD = (hashD ^ UInt64(d[index])) &* prime
            }
          }
        }
      }
    }
    return [
      mix(step(hashA, a[common...])), mix(step(hashB, b[common...])), mix(step(hashC, c[common...])),
      mix(step(hashD, d[common...])),
    ]
  }
}
