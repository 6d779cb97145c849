import CContrailVectors
import ContrailWire

extension ReportSet {
  /// The reports of 64 seconds: one hash table with open addressing, a report a word.
  ///
  /// Copies share the table until one of them changes.
  struct Bucket: Sendable {
    /// 0 where a slot is free, ``gone`` where a report was removed, else a report's 53 bits and ``used``.
    var slots: [UInt64] = []
    /// How many slots aren't free.
    private var filled = 0
    /// How many reports are held.
    private(set) var count = 0
    /// The sum mod 2⁶⁴ of their digests.
    private(set) var checksum: UInt64 = 0

    private static let used: UInt64 = 1 << 63
    private static let gone: UInt64 = 1
    /// Where vectors look at four places together, a home begins at a multiple of four.
    private static let homes = hasVectors ? ~3 : ~0
    /// Whether this processor has the instructions, and a report lies in memory as C declares it.
    static let hasVectors = contrail_keeps_tables() && TurbulenceReport.isLaidOutAsInC
    private static let minimumSlots = 8
    /// Room for more than this isn't made before it is needed.
    private static let maximumFirstSlots = 1024

    init() {}

    /// An empty bucket with as many slots as those before it have, a power of two or none.
    init(room: Int) { slots = [UInt64](repeating: 0, count: min(room, Self.maximumFirstSlots)) }

    @inline(__always)
    static func slot(_ report: TurbulenceReport) -> UInt64 {
      used | report.packed << 6 | UInt64(report.observedAt & 0x3F)
    }

    @inline(__always)
    static func report(_ slot: UInt64, _ bucket: UInt32) -> TurbulenceReport {
      TurbulenceReport(packed: (slot & ~used) >> 6, observedAt: bucket << 6 | UInt32(truncatingIfNeeded: slot & 0x3F))
    }

    /// Whether a slot's word stands for a report.
    @inline(__always)
    static func isReport(_ slot: UInt64) -> Bool { slot & used != 0 }

    /// Where a slot stands, or else the free place where it would. There must be a free one.
    ///
    /// Most stand in the first place or the two after it. Which it is can't be foretold, so nothing branches on it.
    @inline(__always)
    private static func place(of slot: UInt64, _ slots: UnsafeBufferPointer<UInt64>) -> Int {
      let mask = slots.count &- 1
      var index = Int(truncatingIfNeeded: (slot &* CONTRAIL_TABLE_FACTOR) >> 32) & mask & homes
      index = (index &+ isTaken(slots[index], by: slot)) & mask
      index = (index &+ isTaken(slots[index], by: slot)) & mask
      while slots[index] != 0, slots[index] != slot { index = (index &+ 1) & mask }
      return index
    }

    /// One where another slot stands, else 0.
    @inline(__always)
    private static func isTaken(_ held: UInt64, by slot: UInt64) -> Int {
      (held != 0 ? 1 : 0) & (held != slot ? 1 : 0)
    }

    /// Adds a report of this bucket; false if it was held.
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

    /// Adds the admitted reports of a run: from `next` on, as long as they are of this bucket.
    mutating func insert(
      _ reports: UnsafeBufferPointer<TurbulenceReport>, from next: inout Int, bucket: UInt32,
      admittedBy filter: ReportFilter
    ) {
      while next < reports.count, reports[next].observedAt >> 6 == bucket {
        let free = min(room, Self.batch)
        if free <= 0 {
          grow()
          continue
        }
        var index = next
        let (added, sum) = slots.withUnsafeMutableBufferPointer { slots in
          withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.batch) { fresh in
            var added = 0
            while index < reports.count, added < free {
              let report = reports[index]
              guard report.observedAt >> 6 == bucket else { break }
              index &+= 1
              guard filter.admits(report) else { continue }
              let slot = Self.slot(report)
              let place = Self.place(of: slot, UnsafeBufferPointer(slots))
              // One that is held already is written once more, and not counted.
              fresh[added] = slot
              added &+= slots[place] == 0 ? 1 : 0
              slots[place] = slot
            }
            return (added, Self.digestSum(UnsafeBufferPointer(rebasing: fresh[..<added]), bucket))
          }
        }
        next = index
        remember(added, sum)
      }
    }

    /// Does what ``insert(_:from:bucket:admittedBy:)`` does; only where ``hasVectors`` says so.
    mutating func insertByVectors(
      _ reports: UnsafeBufferPointer<TurbulenceReport>, from next: inout Int, bucket: UInt32,
      admittedBy filter: ReportFilter
    ) {
      // Whether the whole run was looked at is told by the next report.
      while next < reports.count, reports[next].observedAt >> 6 == bucket {
        let free = room
        if free <= 0 {
          grow()
          continue
        }
        let done = slots.withUnsafeMutableBufferPointer { slots in
          UnsafeBufferPointer(rebasing: reports[next...]).insert(into: slots, room: free, admittedBy: filter)
        }
        next += done.taken
        remember(done.count, done.sum)
      }
    }

    /// How many reports may be added before the table must grow: some places are to stay free.
    private var room: Int { slots.count / 4 &* 3 &- filled }

    private mutating func remember(_ added: Int, _ sum: UInt64) {
      filled &+= added
      count &+= added
      checksum &+= sum
    }

    /// So many reports are added between two sums of digests.
    private static let batch = 64

    /// The sum mod 2⁶⁴ of the digests of reports, each given as its slot.
    @inline(__always)
    private static func digestSum(_ slots: UnsafeBufferPointer<UInt64>, _ bucket: UInt32) -> UInt64 {
      Digest.sum(slots, firstSecond: bucket << 6)
    }

    /// Makes room for twice as many reports as are held; what was removed leaves no trace.
    @inline(never)
    private mutating func grow() {
      var capacity = Self.minimumSlots
      while capacity < 2 * (count + 1) { capacity *= 2 }
      var larger = [UInt64](repeating: 0, count: capacity)
      larger.withUnsafeMutableBufferPointer { larger in
        for slot in slots where Self.isReport(slot) { larger[Self.place(of: slot, UnsafeBufferPointer(larger))] = slot }
      }
      slots = larger
      filled = count
    }

    func contains(_ slot: UInt64) -> Bool {
      guard !slots.isEmpty else { return false }
      return slots.withUnsafeBufferPointer { $0[Self.place(of: slot, $0)] == slot }
    }

    /// Removes the reports for which `isGone` says true. Their places stay filled until the table grows.
    mutating func remove(bucket: UInt32, where isGone: (TurbulenceReport) -> Bool) {
      for index in slots.indices where Self.isReport(slots[index]) {
        let report = Self.report(slots[index], bucket)
        guard isGone(report) else { continue }
        slots[index] = Self.gone
        count -= 1
        checksum &-= report.digest
      }
    }

    /// Removes the reports of the bucket's first seconds, up to and with the one given, 0…63.
    ///
    /// Each answer cuts a bucket so. Which slots go can't be foretold, so nothing branches on it: first they are gathered, then
    /// their digests summed.
    mutating func remove(bucket: UInt32, upTo second: UInt64, usesVectors: Bool) {
      if usesVectors {
        let done = slots.withUnsafeMutableBufferPointer { slots in
          slots.baseAddress.map {
            contrail_cut_reports($0, slots.count, UInt32(second), Self.gone, bucket << 6)
          } ?? contrail_removal()
        }
        count -= done.count
        checksum &-= done.sum
        return
      }
      let (removed, sum) = slots.withUnsafeMutableBufferPointer { slots in
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: slots.count) { gathered in
          var removed = 0
          for index in 0..<slots.count {
            let slot = slots[index]
            // One if it goes, else 0.
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

extension UnsafeBufferPointer<TurbulenceReport> {
  /// Adds the admitted ones to a table, until they are of another bucket than the first or `room` were added.
  @inline(__always)
  fileprivate func insert(
    into slots: UnsafeMutableBufferPointer<UInt64>, room: Int, admittedBy filter: ReportFilter
  ) -> contrail_insertion {
    guard let base = baseAddress, let table = slots.baseAddress, filter.limit < UInt32.max else {
      return contrail_insertion(taken: count, count: 0, sum: 0)
    }
    var wanted = contrail_filter(
      oldest: UInt32(Swift.max(filter.limit + 1, 0)), lowest: filter.altitudes.lower, highest: filter.altitudes.upper,
      severities: filter.severities.rawValue)
    return base.withMemoryRebound(to: contrail_report.self, capacity: count) {
      contrail_insert_reports(table, slots.count, $0, count, room, &wanted)
    }
  }
}
