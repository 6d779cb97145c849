package import ContrailWire

extension ReportSet {
  /// Returns the changes that turn `previous` into this set.
  ///
  /// Sets derived from one another share the storage of unchanged buckets, which are skipped without being read.
  ///
  /// - Complexity: O(buckets + reports in the buckets that differ).
  package func difference(from previous: ReportSet) -> RecordDifference<TurbulenceReport> {
    var difference = RecordDifference<TurbulenceReport>()
    for (index, bucket) in buckets.enumerated() {
      let number = firstBucket + UInt32(index)
      let other = previous.bucket(number)
      if let other, bucket.sharesStorage(with: other) { continue }
      bucket.forEach(missingIn: other) { difference.added.append(Bucket.report($0, number)) }
    }
    for (index, bucket) in previous.buckets.enumerated() {
      let number = previous.firstBucket + UInt32(index)
      let other = self.bucket(number)
      if let other, bucket.sharesStorage(with: other) { continue }
      bucket.forEach(missingIn: other) { difference.removed.append(Bucket.report($0, number)) }
    }
    return difference
  }

  private func bucket(_ number: UInt32) -> Bucket? {
    guard number >= firstBucket, Int(number - firstBucket) < buckets.count else { return nil }
    return buckets[Int(number - firstBucket)]
  }
}

extension ReportSet.Bucket {
  /// Whether both are copies of one table, determined by its address.
  func sharesStorage(with other: Self) -> Bool {
    guard count == other.count, checksum == other.checksum else { return false }
    return slots.withUnsafeBufferPointer { own in
      other.slots.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
    }
  }

  func forEach(missingIn other: Self?, _ body: (UInt64) -> Void) {
    for slot in slots where Self.isReport(slot) && !(other?.contains(slot) ?? false) { body(slot) }
  }
}
