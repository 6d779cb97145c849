import ContrailGeodesy
import ContrailWire

/// A record that arrives once, and expires by the time of its observation.
protocol ArrivingRecord: Sendable {
  associatedtype Identity: Hashable & Sendable
  /// Records with equal identities are one record, and the first to arrive counts.
  var identity: Identity { get }
  /// The time of the arrival in seconds since 1970.
  var arrivedAt: Int64 { get }
  /// The time of the observation in seconds since 1970.
  var observedSecond: Int64 { get }
  /// Where it is.
  var place: FixedCoordinate { get }
  /// The digest that is added to the checksum of held records.
  var digest: UInt64 { get }
}

/// The distinct records of a live world, by their arrival and by their time of observation.
///
/// A request holds the records that match it, have arrived, and aren't older than its history. Between two times, only records that
/// arrived or expired change what it holds. So its count and checksum follow from those of an earlier time, without the others.
struct ArrivalIndex<Record: ArrivingRecord>: Sendable {
  /// The count and checksum of what a request held before a time in seconds since 1970.
  struct Known: Sendable {
    fileprivate let token: Int64
    let sum: HeldSum
    fileprivate let generation: Int
  }

  /// In order of arrival, unless `isOrdered` is false.
  private var arrived: [Record] = []
  private var identities: Set<Record.Identity> = []
  /// The records by the minute of their observation.
  private var minutes: [Int64: [Record]] = [:]
  /// The records by the tile of their place.
  private var tiles: [Int32: [Record]] = [:]
  private var isOrdered = true
  /// Records that were observed until this second may be forgotten.
  private var forgottenThrough = Int64.min
  /// The latest time in seconds since 1970 before which something was asked.
  private var askedBefore = Int64.min
  /// Changes when earlier results aren't valid any more: records were removed before they expired, or came late.
  private var generation = 0

  private static var minuteSeconds: Int64 { 60 }

  /// Adds a record.
  mutating func add(_ record: Record) {
    if record.arrivedAt < askedBefore { generation += 1 }
    // A snapshot isn't in order of arrival.
    if let last = arrived.last, last.arrivedAt > record.arrivedAt { isOrdered = false }
    guard isOrdered else { return arrived.append(record) }
    guard identities.insert(record.identity).inserted else { return }
    arrived.append(record)
    minutes[Self.minute(record.observedSecond), default: []].append(record)
    tiles[RingTiles.tile(of: record.place), default: []].append(record)
  }

  /// Removes records that were observed until a second, a minute at a time.
  mutating func forget(through second: Int64) {
    forgottenThrough = max(forgottenThrough, second)
    let minute = Self.minute(second)
    guard minutes.keys.contains(where: { $0 < minute }) else { return }
    minutes = minutes.filter { $0.key >= minute }
    func isOver(_ record: Record) -> Bool { Self.minute(record.observedSecond) < minute }
    var affected: Set<Int32> = []
    arrived.removeAll { record in
      guard isOver(record) else { return false }
      identities.remove(record.identity)
      affected.insert(RingTiles.tile(of: record.place))
      return true
    }
    for tile in affected {
      tiles[tile]?.removeAll(where: isOver)
      if tiles[tile]?.isEmpty == true { tiles[tile] = nil }
    }
  }

  /// Replaces all records.
  mutating func replace(by records: some Sequence<Record>) {
    arrived = Array(records)
    isOrdered = false
    generation += 1
  }

  /// Returns the records that arrived from `start` until before `end`, in order.
  ///
  /// - Complexity: O(log *n* + records).
  mutating func arrivals(from start: Int64, before end: Int64) -> ArraySlice<Record> {
    order()
    let first = position(of: start)
    return arrived[first..<max(position(of: end), first)]
  }

  /// Returns what a request holds before a time, and the records of it that arrived since another one.
  ///
  /// - Parameters:
  ///   - now: The time in seconds since 1970.
  ///   - since: The time from which on records are returned; nil for all.
  ///   - historySeconds: The age at which records expire.
  ///   - known: What the request held before an earlier time.
  ///   - ring: The area of the request.
  ///   - isWanted: Whether the request asks for a record of any age, wherever it is.
  /// - Complexity: O(records that arrived or expired since `known`), or else O(tiles of the ring + records in them).
  mutating func held(
    at now: Int64, since: Int64?, historySeconds: Int64, known: Known?, in ring: Ring, where isWanted: (Record) -> Bool
  ) -> (known: Known, new: [Record]) {
    order()
    askedBefore = max(askedBefore, now)
    let limit = now - historySeconds
    var sum = HeldSum(count: 0, checksum: 0)
    var new: [Record] = []
    guard let since, let known, known.generation == generation, known.token <= now,
      known.token - historySeconds >= forgottenThrough
    else {
      func visit(_ tile: Int32, where isInside: (Record) -> Bool) {
        for record in tiles[tile] ?? [] {
          guard record.observedSecond > limit, record.arrivedAt < now, isWanted(record), isInside(record) else {
            continue
          }
          sum.count += 1
          sum.checksum &+= record.digest
          if record.arrivedAt >= since ?? Int64.min { new.append(record) }
        }
      }
      let covered = RingTiles(ring)
      for tile in covered.inside { visit(tile) { _ in true } }
      for tile in covered.crossed { visit(tile) { ring.contains($0.place) } }
      return (Known(token: now, sum: sum, generation: generation), new)
    }
    func matches(_ record: Record) -> Bool { isWanted(record) && ring.contains(record.place) }
    sum = known.sum
    for record in arrivals(from: known.token, before: now) where record.observedSecond > limit && matches(record) {
      sum.count += 1
      sum.checksum &+= record.digest
    }
    visit(observedAfter: known.token - historySeconds, through: limit) { record in
      guard record.arrivedAt < known.token, matches(record) else { return }
      sum.count -= 1
      sum.checksum &-= record.digest
    }
    for record in arrivals(from: since, before: now) where record.observedSecond > limit && matches(record) {
      new.append(record)
    }
    return (Known(token: now, sum: sum, generation: generation), new)
  }

  // MARK: Parts

  private static func minute(_ second: Int64) -> Int64 {
    second >= 0 ? second / minuteSeconds : (second - minuteSeconds + 1) / minuteSeconds
  }

  private func position(of second: Int64) -> Int {
    var (low, high) = (0, arrived.count)
    while low < high {
      let middle = (low + high) / 2
      if arrived[middle].arrivedAt < second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func visit(observedAfter start: Int64, through end: Int64, _ body: (Record) -> Void) {
    guard start < end else { return }
    func visit(_ records: [Record]) {
      for record in records where record.observedSecond > start && record.observedSecond <= end { body(record) }
    }
    let (first, last) = (Self.minute(start), Self.minute(end))
    if last - first < Int64(minutes.count) {
      for minute in first...last { if let records = minutes[minute] { visit(records) } }
    } else {
      for (minute, records) in minutes where minute >= first && minute <= last { visit(records) }
    }
  }

  private mutating func order() {
    guard !isOrdered else { return }
    let records = arrived.enumerated().sorted {
      ($0.element.arrivedAt, $0.offset) < ($1.element.arrivedAt, $1.offset)
    }
    (arrived, identities, minutes, tiles, isOrdered) = ([], [], [:], [:], true)
    for (_, record) in records { add(record) }
  }
}

extension WorldEpoch.Observation: ArrivingRecord {
  var identity: TurbulenceReport { report }
  var place: FixedCoordinate { centre }
  var arrivedAt: Int64 { arrival }
  var observedSecond: Int64 { Int64(report.observedAt) }
  var digest: UInt64 { report.digest }
}

extension PIREP: ArrivingRecord {
  var identity: String { id }
  var place: FixedCoordinate { position }
  var arrivedAt: Int64 { updatedAt }
  var observedSecond: Int64 { observedAt }
}
