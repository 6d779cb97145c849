/// A count of records and the order-independent sum of their digests.
package struct HeldSum: Hashable, Sendable {
  package var count: Int
  package var checksum: UInt64

  package init(count: Int, checksum: UInt64) {
    self.count = count
    self.checksum = checksum
  }
}
