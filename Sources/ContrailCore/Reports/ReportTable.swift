import ContrailWire

/// The reports of one bucket of 64 seconds: a hash table with open addressing, a report a word.
///
/// It owns its memory and must be told to give it back; ``ReportStore`` does that. Whoever uses it sees to it that the reports are of
/// its bucket.
struct ReportTable {
  /// 0 where a slot is free, ``gone`` where a report was removed, else a report's 53 bits and ``used``.
  private var slots: UnsafeMutableBufferPointer<UInt64>
  /// How many slots aren't free.
  private var filled = 0
  /// How many reports are held.
  private(set) var count = 0
  /// The sum mod 2⁶⁴ of their digests.
  private(set) var checksum: UInt64 = 0

  private static let used: UInt64 = 1 << 63
  private static let gone: UInt64 = 1
  private static let minimumSlots = 8

  /// A table without reports or memory.
  init() { slots = UnsafeMutableBufferPointer(start: nil, count: 0) }

  /// A copy with memory of its own.
  init(copying table: ReportTable) {
    self = table
    guard !table.slots.isEmpty else { return }
    slots = .allocate(capacity: table.slots.count)
    _ = slots.initialize(from: table.slots)
  }

  /// Gives the memory back. The table must not be used any more.
  func deallocate() { slots.deallocate() }

  /// How many slots there are: a power of two, or none.
  var capacity: Int { slots.count }

  /// Forgets all reports and keeps the memory.
  mutating func removeAll() {
    slots.update(repeating: 0)
    (filled, count, checksum) = (0, 0, 0)
  }

  @inline(__always)
  private static func slot(_ report: TurbulenceReport) -> UInt64 {
    used | report.packed << 6 | UInt64(report.observedAt & 0x3F)
  }

  @inline(__always)
  private static func report(_ slot: UInt64, _ bucket: UInt32) -> TurbulenceReport {
    TurbulenceReport(packed: (slot & ~used) >> 6, observedAt: bucket << 6 | UInt32(truncatingIfNeeded: slot & 0x3F))
  }

  @inline(__always)
  private static func home(_ slot: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (slot &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// Where the slot stands, or else the free one where it would. There must be a free one.
  @inline(__always)
  private func place(of slot: UInt64) -> UnsafeMutablePointer<UInt64>? {
    guard let base = slots.baseAddress else { return nil }
    let mask = slots.count &- 1
    var index = Self.home(slot, mask)
    while base[index] != 0, base[index] != slot { index = (index &+ 1) & mask }
    return base + index
  }

  /// Adds a report, whose digest is given.
  ///
  /// - Returns: False if it was held.
  @inline(__always)
  mutating func insert(_ report: TurbulenceReport, digest: UInt64) -> Bool {
    if (filled &+ 1) &* 4 > slots.count &* 3 { grow() }
    let slot = Self.slot(report)
    guard let place = place(of: slot), place.pointee == 0 else { return false }
    place.pointee = slot
    filled &+= 1
    count &+= 1
    checksum &+= digest
    return true
  }

  /// Makes room for twice as many reports as are held; what was removed leaves no trace.
  @inline(never)
  private mutating func grow() {
    var capacity = Self.minimumSlots
    while capacity < 2 * (count + 1) { capacity *= 2 }
    let old = slots
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0)
    for slot in old where slot & Self.used != 0 { place(of: slot)?.pointee = slot }
    filled = count
    old.deallocate()
  }

  func contains(_ report: TurbulenceReport) -> Bool {
    place(of: Self.slot(report)).map { $0.pointee != 0 } ?? false
  }

  /// Removes the reports for which `isGone` says true.
  @inline(__always)
  mutating func remove(bucket: UInt32, where isGone: (TurbulenceReport) -> Bool) {
    for index in slots.indices where slots[index] & Self.used != 0 {
      let report = Self.report(slots[index], bucket)
      guard isGone(report) else { continue }
      slots[index] = Self.gone
      count &-= 1
      checksum &-= report.digest
    }
  }

  /// Calls `body` for each report, in no order.
  func forEach(bucket: UInt32, _ body: (TurbulenceReport) -> Void) {
    for slot in slots where slot & Self.used != 0 { body(Self.report(slot, bucket)) }
  }
}
