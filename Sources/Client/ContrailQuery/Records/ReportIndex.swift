package import ContrailCore
import ContrailWire

/// The reports of scopes, sorted by cell, so that a query reads only the reports of its area.
///
/// A value that is brought up to date with a state before a query. After a change of some reports, the others move within the list; a list
/// that a reader still holds is copied.
package struct ReportIndex: Sendable {
  private var lists: [ScopeID: List] = [:]

  fileprivate struct List {
    /// The reports in the scope's own form, to find out what has changed.
    var held = ReportSet()
    /// The reports, sorted by place and time.
    var reports: [TurbulenceReport] = []
    /// The latest changes, in order: the reports before each, and the cells whose reports it changed.
    var changes: [(before: HeldSum, cells: [UInt32])] = []
  }

  package init() {}

  /// Creates the index of a state.
  ///
  /// - Complexity: O(*n*) in the reports.
  package init(of state: State) { update(to: state) }

  /// Whether so many reports of the state aren't in the index that a query is faster without it.
  package func isFarBehind(_ state: State) -> Bool {
    state.scopes.contains { $0.reports.count >= Self.manyReports && lists[$0.id]?.held.count ?? 0 == 0 }
  }

  private static let manyReports = 10_000

  /// Brings the lists up to date with a state.
  ///
  /// - Complexity: O(scopes) if nothing has changed, otherwise O(*n*) in the reports of the changed scopes.
  package mutating func update(to state: State) {
    if lists.keys.contains(where: { state.index(of: $0) == nil }) {
      lists = lists.filter { id, _ in state.index(of: id) != nil }
    }
    state.scopes.withUnsafeBufferPointer { scopes in
      for index in scopes.indices where scopes[index].id.hasDeltas {
        lists[scopes[index].id, default: List()].update(to: scopes[index].reports)
      }
    }
  }

  /// Returns the reports of a scope, sorted by cell, altitude, severity, EDR and time.
  func reports(of scope: ScopeID) -> [TurbulenceReport] { lists[scope]?.reports ?? [] }

  /// Returns the cells whose reports have changed since a scope had other reports, in ascending order; nil if that isn't known any more.
  func changedCells(of scope: ScopeID, since sum: HeldSum) -> [UInt32]? {
    guard let list = lists[scope] else { return nil }
    if list.held.sum == sum { return [] }
    guard let first = list.changes.lastIndex(where: { $0.before == sum }) else { return nil }
    return list.changes[(first + 1)...].reduce(list.changes[first].cells) { $0.united(with: $1.cells) }
  }
}

extension ReportIndex.List {
  /// If more than this share of the reports changed, sorting all costs less than merging.
  private static let mergedShare = 4
  /// A reader that has missed more changes reads all.
  private static let mostChanges = 16

  mutating func update(to set: ReportSet) {
    let before = held.sum
    guard before != set.sum else { return }
    let difference = held.count == 0 ? nil : set.difference(from: held)
    held = set
    guard let difference, (difference.added.count + difference.removed.count) * Self.mergedShare < set.count else {
      (reports, changes) = (.sortedByPlace(set), [])
      return
    }
    var (added, removed) = (difference.added, difference.removed)
    added.sortByPlace()
    removed.sortByPlace()
    merge(added, removed)
    if changes.count == Self.mostChanges { changes.removeFirst() }
    changes.append((before, added.map { $0.cell }.united(with: removed.map { $0.cell })))
  }

  /// Applies changes, sorted as the reports.
  private mutating func merge(_ added: [TurbulenceReport], _ removed: [TurbulenceReport]) {
    var edits: Edits = []
    var (next, add, remove) = (0, 0, 0)
    while add < added.count || remove < removed.count {
      let removes = remove < removed.count && (add == added.count || removed[remove].isBefore(added[add]))
      let change = removes ? removed[remove] : added[add]
      next = reports.firstIndex(from: next) { !$0.isBefore(change) }
      edits.append(removes ? (next..<next + 1, add..<add) : (next..<next, add..<add + 1))
      if removes { (next, remove) = (next + 1, remove + 1) } else { add += 1 }
    }
    reports.edit(edits, from: added)
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
  /// The number of reports from which a radix sort is faster.
  private static var manyReports: Int { 256 }

  /// Sorts by cell, altitude, severity, EDR and time.
  mutating func sortByPlace() {
    guard count >= Self.manyReports else {
      sort { $0.isBefore($1) }
      return
    }
    let reports = self
    self = Self.sortedByPlace(count: count) { body in for report in reports { body(report) } }
  }

  /// Returns the reports of a set, sorted by cell, altitude, severity, EDR and time.
  static func sortedByPlace(_ set: ReportSet) -> [TurbulenceReport] {
    sortedByPlace(count: set.count) { set.forEach($0) }
  }

  /// Returns the reports that `forEach` gives, sorted by cell, altitude, severity, EDR and time.
  ///
  /// - Parameters:
  ///   - count: The number of reports.
  ///   - forEach: Calls its argument with each report. It is called twice.
  /// - Complexity: O(*n* + Σ *m* log *m*), with *m* reports in each cell: a radix sort by the two halves of the cell, then the cells
  ///   one by one.
  private static func sortedByPlace(
    count: Int, _ forEach: ((TurbulenceReport) -> Void) -> Void
  ) -> [TurbulenceReport] {
    let digits = 2048
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * digits) { places in
      places.initialize(repeating: 0)
      forEach { report in
        places[report.lowerDigit] += 1
        places[digits + report.upperDigit] += 1
      }
      for start in [0, digits] {
        var sum = 0
        for digit in start..<start + digits { (places[digit], sum) = (sum, sum + places[digit]) }
      }
      let half = [TurbulenceReport](unsafeUninitializedCapacity: count) { half, used in
        forEach { report in
          half.initializeElement(at: places[report.lowerDigit], to: report)
          places[report.lowerDigit] += 1
        }
        used = count
      }
      return [TurbulenceReport](unsafeUninitializedCapacity: count) { sorted, used in
        for report in half {
          sorted.initializeElement(at: places[digits + report.upperDigit], to: report)
          places[digits + report.upperDigit] += 1
        }
        used = count
        sortCells(UnsafeMutableBufferPointer(rebasing: sorted[..<count]))
      }
    }
  }

  /// Sorts the reports of each cell, of which there are few.
  private static func sortCells(_ reports: UnsafeMutableBufferPointer<TurbulenceReport>) {
    let fewReports = 16
    var start = 0
    while start < reports.count {
      let cell = reports[start].cell
      var end = start + 1
      while end < reports.count, reports[end].cell == cell {
        // Inserts it among those before it.
        let report = reports[end]
        var place = end
        while end - start < fewReports, place > start, report.isBefore(reports[place - 1]) {
          reports[place] = reports[place - 1]
          place -= 1
        }
        reports[place] = report
        end += 1
      }
      if end - start > fewReports { reports[start..<end].sort { $0.isBefore($1) } }
      start = end
    }
  }
}

extension TurbulenceReport {
  fileprivate var lowerDigit: Int { Int(truncatingIfNeeded: cell) & 2047 }
  fileprivate var upperDigit: Int { Int(truncatingIfNeeded: cell >> 11) & 2047 }
}
