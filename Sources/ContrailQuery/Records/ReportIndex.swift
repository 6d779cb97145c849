package import ContrailCore
import ContrailWire

/// The reports of scopes, sorted by cell, so that a query reads only the reports of its area.
///
/// A value that is brought up to date with a state before a query. After a change of some reports, that costs a copy of the list.
package struct ReportIndex: Sendable {
  private var lists: [ScopeID: List] = [:]

  fileprivate struct List {
    /// The reports in the scope's own form, to find out what has changed.
    var held = ReportSet()
    /// The reports, sorted by place and time.
    var reports: [TurbulenceReport] = []
  }

  package init() {}

  /// Brings the lists up to date with a state.
  ///
  /// - Complexity: O(buckets) if nothing has changed, otherwise O(*n*) in the reports of the changed scopes.
  package mutating func update(to state: State) {
    lists = lists.filter { id, _ in state.scope(id) != nil }
    for scope in state.scopes where scope.id.hasDeltas { lists[scope.id, default: List()].update(to: scope.reports) }
  }

  /// Returns the reports of a scope, sorted by cell, altitude, severity, EDR and time.
  func reports(of scope: ScopeID) -> [TurbulenceReport] { lists[scope]?.reports ?? [] }
}

extension ReportIndex.List {
  /// If more than this share of the reports changed, sorting all costs less than merging.
  private static let mergedShare = 4

  mutating func update(to set: ReportSet) {
    let isFirst = held.count == 0
    let difference = isFirst ? RecordDifference() : set.difference(from: held)
    held = set
    guard isFirst || !difference.isEmpty else { return }
    guard !isFirst, (difference.added.count + difference.removed.count) * Self.mergedShare < set.count else {
      reports = []
      reports.reserveCapacity(set.count)
      set.forEach { reports.append($0) }
      reports.sortByPlace()
      return
    }
    merge(difference)
  }

  /// Applies changes in one pass: what is between two of them is copied at once.
  private mutating func merge(_ difference: RecordDifference<TurbulenceReport>) {
    var (added, removed) = (difference.added, difference.removed)
    added.sortByPlace()
    removed.sortByPlace()
    let count = reports.count + added.count - removed.count
    let old = reports
    reports = [TurbulenceReport](unsafeUninitializedCapacity: count) { merged, used in
      var (next, end) = (0, 0)
      func copy(to limit: Int) {
        _ = merged[end...].initialize(fromContentsOf: old[next..<limit])
        end += limit - next
        next = limit
      }
      var (add, remove) = (0, 0)
      while add < added.count || remove < removed.count {
        let removes = remove < removed.count && (add == added.count || removed[remove].isBefore(added[add]))
        let change = removes ? removed[remove] : added[add]
        copy(to: old.first(atOrAfter: change, from: next))
        if removes {
          next += 1
          remove += 1
        } else {
          merged.initializeElement(at: end, to: change)
          end += 1
          add += 1
        }
      }
      copy(to: old.count)
      used = end
    }
  }
}

extension TurbulenceReport {
  /// Whether it is before another by cell, altitude, severity, EDR and time.
  @inline(__always)
  fileprivate func isBefore(_ other: TurbulenceReport) -> Bool {
    (packed, observedAt) < (other.packed, other.observedAt)
  }
}

extension [TurbulenceReport] {
  /// Returns the index of the first report that isn't before another.
  fileprivate func first(atOrAfter report: TurbulenceReport, from start: Int) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].isBefore(report) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of reports from which a radix sort is faster.
  private static var manyReports: Int { 256 }

  /// Sorts by cell, altitude, severity, EDR and time.
  ///
  /// - Complexity: O(*n* + Σ *m* log *m*), with *m* reports in each cell: a radix sort by the two halves of the cell, then the cells
  ///   one by one.
  mutating func sortByPlace() {
    guard count >= Self.manyReports else {
      sort { $0.isBefore($1) }
      return
    }
    var other = self
    for shift: UInt32 in [0, 11] {
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 2048) { places in
        places.initialize(repeating: 0)
        for report in self { places[Int(report.cell >> shift & 2047)] += 1 }
        var sum = 0
        for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
        other.withUnsafeMutableBufferPointer { sorted in
          for report in self {
            let digit = Int(report.cell >> shift & 2047)
            sorted[places[digit]] = report
            places[digit] += 1
          }
        }
      }
      swap(&self, &other)
    }
    withUnsafeMutableBufferPointer { reports in
      var start = 0
      while start < reports.count {
        let cell = reports[start].cell
        var end = start + 1
        while end < reports.count, reports[end].cell == cell { end += 1 }
        reports[start..<end].sort { $0.isBefore($1) }
        start = end
      }
    }
  }
}
