import ContrailWire

/// The reports of each bin and level while they are counted.
struct ProfileTable {
  private struct Tally {
    var count: UInt32 = 0
    var worst: UInt8 = 0
    var maximumEDR: UInt16 = 0
    /// The time, severity and EDR of the newest report, from the top.
    var newest: UInt64 = 0
  }

  private static let levels = RouteProfile.ceiling + 1

  private var tallies: [Tally]
  /// The number of tallies with a report.
  private var reportedCount = 0
  /// The cells with a PIREP or an area, in the order in which they got the first.
  private var marked: [ProfileCell] = []
  /// For each bin and level, the number of its cell in ``marked``, from 1; 0 without one. Empty if none has one.
  private var marks: [UInt32] = []
  private let second: Int64
  /// The time of the oldest report, in seconds since 1970; the largest number without one.
  private(set) var oldest = UInt32.max

  init(binCount: Int, asOf second: Int64) {
    tallies = Array(repeating: Tally(), count: binCount * Self.levels)
    self.second = second
  }

  /// Adds the reports of a view that a filter admits.
  ///
  /// - Parameter category: The category that decides severities; nil for those of the reports.
  /// - Complexity: O(*c* log *n* + *m*), with *c* hexagons of the line, *n* reports, and *m* in the hexagons.
  mutating func add(_ view: ReportView, _ filter: RecordFilter, on line: ProfileLine, _ category: AircraftCategory?) {
    let filter = filter.narrowed(to: view.filter)
    tallies.withUnsafeMutableBufferPointer { tallies in
      var (cell, next) = (0, 0)
      CellArea.cells(line.cells).forEachCell(in: view.reports) { reports in
        guard let packed = reports.first?.cell else { return }
        while line.cells[cell] < packed { cell += 1 }
        while line.bins[next].cell < cell { next += 1 }
        for report in reports where filter.admits(report) && view.isFirst(toShow: report) {
          guard report.altitude <= RouteProfile.ceiling else { continue }
          oldest = min(oldest, report.observedAt)
          let severity = category?.severity(of: report).rawValue ?? report.severityCode
          let newest = UInt64(report.observedAt) << 32 | UInt64(severity) << 16 | UInt64(report.edrE4)
          var pass = next
          while pass < line.bins.count, line.bins[pass].cell == cell {
            let place = line.bins[pass].bin * Self.levels + Int(report.altitude)
            if tallies[place].count == 0 { reportedCount += 1 }
            tallies[place].count += 1
            tallies[place].worst = max(tallies[place].worst, severity)
            tallies[place].maximumEDR = max(tallies[place].maximumEDR, report.edrE4)
            tallies[place].newest = max(tallies[place].newest, newest)
            pass += 1
          }
        }
      }
    }
  }

  /// Adds the index of a PIREP.
  mutating func add(pirep index: Int, bin: Int, level: Int) {
    edit(bin, level) { $0.pireps.append(index) }
  }

  /// Adds the index of an area.
  mutating func add(area index: Int, _ area: ProfileArea, levels: ClosedRange<Int>) {
    guard area.levels.overlaps(levels) else { return }
    for bin in area.bins {
      for level in area.levels.clamped(to: levels) { edit(bin, level) { $0.areas.append(index) } }
    }
  }

  private mutating func edit(_ bin: Int, _ level: Int, _ body: (inout ProfileCell) -> Void) {
    if marks.isEmpty { marks = Array(repeating: 0, count: tallies.count) }
    let place = bin * Self.levels + level
    if marks[place] == 0 {
      marked.append(ProfileCell(bin: bin, level: level))
      marks[place] = UInt32(marked.count)
    }
    body(&marked[Int(marks[place]) - 1])
  }

  /// The cells with a report, a PIREP or an area, sorted by bin, then level.
  ///
  /// - Complexity: O(bins).
  var cells: [ProfileCell] {
    var cells: [ProfileCell] = []
    cells.reserveCapacity(reportedCount + marked.count)
    for place in tallies.indices {
      let tally = tallies[place]
      let mark = marks.isEmpty ? 0 : Int(marks[place])
      guard tally.count > 0 || mark > 0 else { continue }
      cells.append(
        mark > 0 ? marked[mark - 1] : ProfileCell(bin: place / Self.levels, level: place % Self.levels))
      if tally.count > 0 { cells[cells.count - 1].turbulence = .reported(reports(tally)) }
    }
    return cells
  }

  private func reports(_ tally: Tally) -> ProfileCell.Reports {
    let observedAt = Int64(tally.newest >> 32)
    return ProfileCell.Reports(
      worst: Self.severity(tally.worst), maximumEDR: Double(tally.maximumEDR) / 10_000,
      newest: Self.severity(UInt8(truncatingIfNeeded: tally.newest >> 16)),
      newestEDR: Double(tally.newest & 0xFFFF) / 10_000, count: Int(tally.count), observedAt: observedAt,
      ageSeconds: observedAt.age(asOf: second))
  }

  private static func severity(_ code: UInt8) -> TurbulenceSeverity {
    TurbulenceSeverity(rawValue: code) ?? .moderateSevere
  }
}
