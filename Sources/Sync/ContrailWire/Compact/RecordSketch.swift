/// A short description of a set of records. Compared with a similar set, it reveals the records that differ. It is the body of
/// `POST /repairs/{handle}`.
///
///     0xC3, 1      a byte that begins neither JSON nor gzip nor an answer, and the version
///     word         the digest of the area
///     word…        the cells: a multiple of four, at most 256
///
/// The key of a record is the lower 48 bits of its digest. Each record is combined by XOR into one cell of each quarter, as its key with 16
/// bits of check above it. Records that both sides hold cancel out. A cell with one record shows its key; taking that out of its other
/// cells leaves one record in some of those, and so on: an invertible Bloom lookup table (Goodrich and Mitzenmacher, 2011) without counts.
package struct RecordSketch: Hashable, Sendable {
  /// The digest of the area whose records these are.
  package let areaDigest: UInt64
  private var cells: [UInt64]

  /// The first byte.
  package static let mark: UInt8 = 0xC3
  private static let version: UInt8 = 1
  private static let quarters = 4
  /// The maximum number of cells.
  package static let maximumCells = 256

  /// Creates a sketch without records.
  ///
  /// - Parameters:
  ///   - areaDigest: The digest of the area.
  ///   - cellCount: The number of cells, from which the next valid one follows.
  package init(areaDigest: UInt64, cellCount: Int) {
    self.areaDigest = areaDigest
    let quarter = (min(max(cellCount, Self.quarters), Self.maximumCells) + Self.quarters - 1) / Self.quarters
    cells = Array(repeating: 0, count: quarter * Self.quarters)
  }

  /// Creates a sketch of records.
  package init(of records: HeldRecords, areaDigest: UInt64, cellCount: Int) {
    self.init(areaDigest: areaDigest, cellCount: cellCount)
    insert(records.reports, records.pireps)
  }

  /// Returns the number of cells in which the given number of differences is found in 99 of 100 cases.
  package static func cellCount(for differences: Int) -> Int {
    quarters * (2 + (min(max(differences, 0), maximumCells) + 1) / 2)
  }

  package var cellCount: Int { cells.count }

  mutating func insert(_ reports: [TurbulenceReport], _ pireps: [PIREP]) {
    for report in reports { toggle(Self.key(report.digest)) }
    for pirep in pireps { toggle(Self.key(pirep.digest)) }
  }

  // MARK: Bytes

  package var bytes: [UInt8] {
    var compact = CompactWriter()
    compact.byte(Self.mark)
    compact.byte(Self.version)
    compact.word(areaDigest)
    for cell in cells { compact.word(cell) }
    return compact.bytes
  }

  /// Creates a sketch from its bytes.
  ///
  /// - Throws: ``CompactError`` with the first invalid byte.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CompactError) {
    var compact = CompactReader(bytes)
    guard try compact.byte() == Self.mark else { throw CompactError(offset: 0, reason: "there is no sketch") }
    let version = try compact.byte()
    guard version == Self.version else {
      throw CompactError(offset: 1, reason: "version \(version) is unknown; the newest known is \(Self.version)")
    }
    areaDigest = try compact.word()
    let size = bytes.count - compact.offset
    guard size > 0, size % (8 * Self.quarters) == 0, size <= 8 * Self.maximumCells else {
      throw compact.fault("\(size) bytes of cells aren't a multiple of 32, up to \(8 * Self.maximumCells)")
    }
    cells = []
    cells.reserveCapacity(size / 8)
    while !compact.isAtEnd { cells.append(try compact.word()) }
  }

  // MARK: Differences

  /// The bits of a digest that name a record.
  static func key(_ digest: UInt64) -> UInt64 { digest & 0xFFFF_FFFF_FFFF }

  /// Returns the keys of the records that only one of the two holds; nil if they can't be found.
  ///
  /// - Complexity: O(cells).
  package func difference(from other: RecordSketch) -> Set<UInt64>? {
    guard cells.count == other.cells.count else { return nil }
    var rest = self
    for index in cells.indices { rest.cells[index] ^= other.cells[index] }
    var keys: Set<UInt64> = []
    var candidates = Array(cells.indices)
    while let index = candidates.popLast() {
      guard let key = rest.single(index) else { continue }
      // A cell that only looks like one record could go on for ever.
      guard keys.insert(key).inserted, keys.count <= cells.count else { return nil }
      rest.toggle(key)
      for quarter in 0..<Self.quarters { candidates.append(rest.place(key, quarter)) }
    }
    return rest.cells.allSatisfy { $0 == 0 } ? keys : nil
  }

  /// Returns the key of a cell's only record; nil if it holds none or several.
  private func single(_ index: Int) -> UInt64? {
    let cell = cells[index]
    let key = Self.key(cell)
    guard cell != 0, Self.checked(key) == cell, place(key, index / (cells.count / Self.quarters)) == index else {
      return nil
    }
    return key
  }

  private static func checked(_ key: UInt64) -> UInt64 { key | Digest.mix(key) << 48 }

  private mutating func toggle(_ key: UInt64) {
    for quarter in 0..<Self.quarters { cells[place(key, quarter)] ^= Self.checked(key) }
  }

  /// Returns the cell of a record within a quarter.
  private func place(_ key: UInt64, _ quarter: Int) -> Int {
    let length = cells.count / Self.quarters
    let hash = Digest.mix(key &+ UInt64(quarter + 1) &* 0x9e37_79b9_7f4a_7c15)
    return quarter * length + Int(((hash >> 32) &* UInt64(length)) >> 32)
  }
}

extension ObservationsAnswer {
  /// Returns a full answer as changes to the records of a sketch; nil if there are more differences than the sketch shows.
  ///
  /// - Parameters:
  ///   - sketch: The sketch of the client's records, with the same number of cells.
  ///   - milliseconds: The milliseconds of the server's time after the watermark, 0…999.
  ///   - heldTraffic: The traffic that the client holds, if it is known; the answer then contains the changes to it.
  /// - Complexity: O(*n*) in the records.
  package func compact(
    repairing sketch: RecordSketch, milliseconds: Int64, changing heldTraffic: [TrafficPosition] = []
  ) -> [UInt8]? {
    var own = RecordSketch(areaDigest: sketch.areaDigest, cellCount: sketch.cellCount)
    own.insert(reports, pireps)
    guard follows == nil, held != nil, var keys = own.difference(from: sketch) else { return nil }
    var changes = self
    changes.reports = reports.filter { keys.remove(RecordSketch.key($0.digest)) != nil }
    changes.pireps = pireps.filter { keys.remove(RecordSketch.key($0.digest)) != nil }
    return changes.compact(milliseconds: milliseconds, changing: heldTraffic, removing: keys.sorted())
  }
}

extension HeldRecords {
  /// Returns the records without those of the given keys.
  func removing(_ keys: Set<UInt64>) -> (reports: [TurbulenceReport], pireps: [PIREP]) {
    if keys.isEmpty { return (reports, pireps) }
    return (
      reports.filter { !keys.contains(RecordSketch.key($0.digest)) },
      pireps.filter { !keys.contains(RecordSketch.key($0.digest)) }
    )
  }
}

extension CompactWriter {
  /// Writes a number of keys, and six bytes for each, from the lowest.
  mutating func keys(_ keys: [UInt64]) {
    number(keys.count)
    for key in keys {
      for shift in stride(from: UInt64(0), to: 48, by: 8) { byte(UInt8(truncatingIfNeeded: key >> shift)) }
    }
  }
}

extension CompactReader {
  mutating func keys() throws(CompactError) -> Set<UInt64> {
    var keys: Set<UInt64> = []
    for _ in 0..<(try count(leastBytes: 6, "records")) {
      var key: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 48, by: 8) { key |= UInt64(try byte()) << shift }
      keys.insert(key)
    }
    return keys
  }
}
