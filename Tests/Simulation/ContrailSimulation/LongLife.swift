/// Whether a tablet's log, database and memory stay bounded over its life, and its launches as quick as at first.
package struct LongLife: Sendable {
  package let launches: Int
  /// The largest value of the first and of the last third of the launches.
  package typealias Growth = (early: Int, late: Int)
  package let log: Growth
  package let database: Growth
  package let state: Growth
  package let read: Growth
  /// The median time of opening the log in the first and in the last third.
  package let opening: (early: Duration, late: Duration)
  private let keptBytes: Int64
  private let segmentBytes: Int64

  package init(_ vitals: [Vitals], _ setting: Script.Setting) {
    // The first launches find little.
    let vitals = vitals.dropFirst(2)
    launches = vitals.count
    (keptBytes, segmentBytes) = (setting.keptBytes, setting.segmentBytes)
    let (early, late) = (vitals.prefix(vitals.count / 3), vitals.suffix(vitals.count / 3))
    func growth(_ value: (Vitals) -> Int) -> Growth { (early.map(value).max() ?? 0, late.map(value).max() ?? 0) }
    func median(_ vitals: ArraySlice<Vitals>) -> Duration {
      let times = vitals.map(\.opening).sorted()
      return times.isEmpty ? .zero : times[times.count / 2]
    }
    log = growth(\.logBytes)
    database = growth(\.databaseBytes)
    state = growth(\.stateBytes)
    read = growth(\.readBytes)
    opening = (median(early), median(late))
  }

  /// What grows; empty if nothing does. Times aren't among it.
  package var faults: [String] {
    var faults: [String] = []
    // Two segments are written while one is removed.
    let most = keptBytes + 3 * segmentBytes
    if log.late > most { faults.append("the log has \(log.late) bytes; \(most) are the most") }
    for (name, growth) in [("database", database), ("state", state), ("bytes read to open the log", read)] {
      // What is held differs from day to day.
      if growth.late > growth.early * 3 / 2 { faults.append("\(name): \(growth.late), at first \(growth.early)") }
    }
    return faults
  }

  /// How much slower the later launches are than the first ones.
  package var slowness: Double { opening.early > .zero ? opening.late / opening.early : 1 }
}
