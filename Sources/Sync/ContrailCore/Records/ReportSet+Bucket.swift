import ContrailWire

extension ReportSet {
  /// The reports of 64 seconds: a hash table with open addressing, one word per report.
  ///
  /// Copies share the table until one of them changes.
  struct Bucket: Sendable {
    /// 0 for a free slot, ``gone`` for a removed report, otherwise a report's 53 bits and ``used``.
    var slots: [UInt64] = []
    /// The number of slots that aren't free.
    private var filled = 0
    /// The number of stored reports.
    private(set) var count = 0
    /// The sum mod 2⁶⁴ of the digests of the stored reports.
    private(set) var checksum: UInt64 = 0

    private static let used: UInt64 = 1 << 63
    private static let gone: UInt64 = 1
    /// A slot times this: its upper half says where the slot belongs.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let minimumSlots = 8
    /// The maximum number of slots that a new bucket reserves.
    private static let maximumFirstSlots = 1024

    init() {}

    /// Creates an empty bucket with the slot count of earlier buckets, which is a power of two or zero.
    init(room: Int) { slots = .zeros(min(room, Self.maximumFirstSlots)) }

    @inline(__always)
    static func slot(_ report: TurbulenceReport) -> UInt64 {
      used | report.packed << 6 | UInt64(report.observedAt & 0x3F)
    }

    @inline(__always)
    static func report(_ slot: UInt64, _ bucket: UInt32) -> TurbulenceReport {
      TurbulenceReport(packed: (slot & ~used) >> 6, observedAt: bucket << 6 | UInt32(truncatingIfNeeded: slot & 0x3F))
    }

    /// Whether the slot contains a report.
    @inline(__always)
    static func isReport(_ slot: UInt64) -> Bool { slot & used != 0 }

    /// Returns the index of `slot`, or of the free slot where it belongs. At least one slot must be free.
    ///
    /// Most entries are in the home slot or the two after it. Which one is unpredictable, so those are probed without
    /// branches.
    @inline(__always)
    private static func place(of slot: UInt64, _ slots: UnsafeBufferPointer<UInt64>) -> Int {
      let mask = slots.count &- 1
      var index = Int(truncatingIfNeeded: (slot &* factor) >> 32) & mask
      index = (index &+ isTaken(slots[index], by: slot)) & mask
      index = (index &+ isTaken(slots[index], by: slot)) & mask
      while slots[index] != 0, slots[index] != slot { index = (index &+ 1) & mask }
      return index
    }

    /// 1 if another entry occupies the slot, otherwise 0.
    @inline(__always)
    private static func isTaken(_ held: UInt64, by slot: UInt64) -> Int {
      (held != 0 ? 1 : 0) & (held != slot ? 1 : 0)
    }

    /// Adds a report of this bucket; returns false if it is already stored.
    @inline(__always)
    mutating func insert(_ report: TurbulenceReport) -> Bool {
      if room <= 0 { grow() }
      let slot = Self.slot(report)
      let isNew = slots.withUnsafeMutableBufferPointer { slots in
        let place = Self.place(of: slot, UnsafeBufferPointer(slots))
        guard slots[place] == 0 else { return false }
        slots[place] = slot
        return true
      }
      if isNew { remember(1, report.digest) }
      return isNew
    }

    /// Adds the admitted reports from `next` on, as long as they belong to this bucket.
    mutating func insert(
      _ reports: UnsafeBufferPointer<TurbulenceReport>, from next: inout Int, bucket: UInt32,
      admittedBy filter: ReportFilter
    ) {
      while next < reports.count, reports[next].observedAt >> 6 == bucket {
        let free = room
        if free <= 0 {
          grow()
          continue
        }
        var index = next
        var added = 0
        var sum: UInt64 = 0
        slots.withUnsafeMutableBufferPointer { slots in
          while index < reports.count, added < free {
            let report = reports[index]
            guard report.observedAt >> 6 == bucket else { break }
            index &+= 1
            guard filter.admits(report) else { continue }
            let slot = Self.slot(report)
            let place = Self.place(of: slot, UnsafeBufferPointer(slots))
            // A report that is already stored is written again, but not counted.
            let isNew = slots[place] == 0 ? 1 : 0
            slots[place] = slot
            added &+= isNew
            sum &+= report.digest &* UInt64(truncatingIfNeeded: isNew)
          }
        }
        next = index
        remember(added, sum)
      }
    }

    /// The number of reports that fit before the table must grow. A quarter of the slots stays free.
    private var room: Int { slots.count / 4 &* 3 &- filled }

    private mutating func remember(_ added: Int, _ sum: UInt64) {
      filled &+= added
      count &+= added
      checksum &+= sum
    }

    /// Returns the sum mod 2⁶⁴ of the digests of reports, each given as its slot.
    @inline(__always)
    private static func digestSum(_ slots: UnsafeBufferPointer<UInt64>, _ bucket: UInt32) -> UInt64 {
      slots.reduce(0) { $0 &+ report($1, bucket).digest }
    }

    /// Rebuilds the table with room for at least twice the stored reports, and clears the slots of removed ones.
    @inline(never)
    private mutating func grow() {
      var larger = [UInt64].zeros(Self.slotCount(for: count + 1))
      larger.withUnsafeMutableBufferPointer { larger in
        for slot in slots where Self.isReport(slot) { larger[Self.place(of: slot, UnsafeBufferPointer(larger))] = slot }
      }
      slots = larger
      filled = count
    }

    /// Makes room for so many reports, if none was added yet.
    mutating func reserve(_ reports: Int) {
      let wanted = Self.slotCount(for: reports)
      if filled == 0, slots.count < wanted { slots = .zeros(wanted) }
    }

    private static func slotCount(for reports: Int) -> Int {
      var slots = minimumSlots
      while slots < 2 * reports { slots *= 2 }
      return slots
    }

    func contains(_ slot: UInt64) -> Bool {
      guard !slots.isEmpty else { return false }
      return slots.withUnsafeBufferPointer { $0[Self.place(of: slot, $0)] == slot }
    }

    /// Removes the reports for which `isGone` returns true. Their slots stay occupied until the table grows.
    mutating func remove(bucket: UInt32, where isGone: (TurbulenceReport) -> Bool) {
      for index in slots.indices where Self.isReport(slots[index]) {
        let report = Self.report(slots[index], bucket)
        guard isGone(report) else { continue }
        slots[index] = Self.gone
        count -= 1
        checksum &-= report.digest
      }
    }

    /// Removes the reports of the bucket's first seconds, 0 through `second` (at most 63).
    ///
    /// Each response trims one bucket this way. Which slots are removed is unpredictable, so the loop has no branches:
    /// it first collects the slots, then sums their digests.
    mutating func remove(bucket: UInt32, upTo second: UInt64) {
      let (removed, sum) = slots.withUnsafeMutableBufferPointer { slots in
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: slots.count) { gathered in
          var removed = 0
          for index in 0..<slots.count {
            let slot = slots[index]
            // 1 if the slot is removed, otherwise 0.
            let goes = (slot >> 63) & ~((second &- (slot & 0x3F)) >> 63)
            gathered[removed] = slot
            slots[index] = slot ^ (slot ^ Self.gone) & (0 &- goes)
            removed &+= Int(truncatingIfNeeded: goes)
          }
          return (removed, Self.digestSum(UnsafeBufferPointer(rebasing: gathered[..<removed]), bucket))
        }
      }
      count -= removed
      checksum &-= sum
    }
  }
}

extension [UInt64] {
  /// Returns an array of `count` zeros.
  ///
  /// Faster than `Array(repeating:count:)`, which the compiler doesn't specialize: it looks up the type at run time.
  fileprivate static func zeros(_ count: Int) -> [UInt64] {
    var zeros: [UInt64] = []
    zeros.reserveCapacity(count)
    zeros.append(contentsOf: repeatElement(0, count: count))
    return zeros
  }
}
