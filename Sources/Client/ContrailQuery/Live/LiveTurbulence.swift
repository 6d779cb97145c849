package import ContrailCore
import ContrailGeodesy
import ContrailWire

/// The current result of a query for turbulence, of which only the hexagons whose reports have changed or expired are evaluated again.
///
/// A value without a clock, as ``LiveResult``.
package struct LiveTurbulence: Sendable {
  /// What decides which reports are shown, but for the server's reports and the time.
  private struct Terms: Equatable {
    var ids: [ScopeID]
    var wants: [FetchSpec]
    var history: DataHistoryTime
    var own: [OwnReport]
  }

  /// Where an item is, and when it expires: a fifth of an item, for the loops over all.
  private struct Place {
    var cell: UInt32
    /// The second of the oldest report behind the item.
    var oldest: UInt32
  }

  private let query: TurbulenceQuery
  private let ring: Ring?
  private var area = CellArea.everywhere
  private var terms: Terms?
  /// The reports of each scope, to find out what has changed.
  private var sums: [HeldSum] = []
  private var second: Int64 = 0
  /// The items, each with its age when it was evaluated.
  private var items: [TurbulenceItem] = []
  private var places: [Place] = []
  /// The first second, by the server's clock, at which time alone may change the result; nil for never.
  package private(set) var expiresAt: Int64?

  /// - Throws: ``QueryError`` if the area is invalid, or the scope isn't an area.
  package init(_ query: TurbulenceQuery) throws(QueryError) {
    try QueryError.check(query.scope)
    self.query = query
    ring = try query.area.ring()
  }

  /// Brings the result up to date.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - second: The time by the server's clock, in seconds since 1970.
  ///   - own: The reports of the device.
  ///   - index: Returns the index, up to date with the state; nil if it isn't made yet. It isn't called if nothing has changed or expired.
  /// - Returns: The change; nil if the result is shown as before.
  /// - Complexity: O(scopes) if nothing has changed or expired. Otherwise O(*c* + *m*), with *c* changed cells and *m* items of the result;
  ///   that of the query at first, if the query of the data or an own report has changed, and without an index.
  package mutating func update(
    to state: State, asOf second: Int64, own: [OwnReport], in index: () -> ReportIndex?
  ) -> ResultChange<TurbulenceItem>? {
    let views = query.origin == .own ? [] : state.views(.turbulence, only: query.scope)
    let terms = Terms(
      ids: views.map { $0.id }, wants: views.map { $0.want }, history: state.history,
      own: query.origin == .server ? [] : own)
    let sums = views.map { $0.reports.sum }
    let isKnown = terms == self.terms && second >= self.second
    if isKnown, sums == self.sums, second < expiresAt ?? .max { return nil }
    let index = index()
    let changed = isKnown ? changedCells(terms.ids, in: index, at: second, state) : nil
    let isFirst = self.terms == nil
    (self.terms, self.sums, self.second) = (terms, sums, second)
    if changed?.isEmpty == true { return nil }
    if changed == nil { area = CellArea(ring, count: views.reduce(own.count) { $0 + $1.reports.count }) }
    defer { expiresAt = state.expiry(of: oldest, query.dataHistoryTime, second) }
    let found = state.reports(
      views, with: query, in: changed.map { .cells($0) } ?? area, asOf: second, index, own: terms.own)
    let new = query.items(of: found, asOf: second, own: terms.own)
    let old = replace(changed, with: new, of: found)
    if isFirst { return ResultChange(items) }
    let items = items
    return ResultChange(from: old, to: new, count: items.count) { items.map { $0.aged(to: second) } }
  }

  /// Returns the cells of the area whose reports have changed or expired since the last result, in ascending order; nil if that isn't known.
  private func changedCells(_ ids: [ScopeID], in index: ReportIndex?, at second: Int64, _ state: State) -> [UInt32]? {
    var changed: [UInt32] = []
    for (id, sum) in zip(ids, sums) {
      guard let cells = index?.changedCells(of: id, since: sum) else { return nil }
      changed = changed.isEmpty ? cells : changed.united(with: cells)
    }
    changed = area.cells(among: changed)
    guard second >= expiresAt ?? .max else { return changed }
    let limit = second - state.lifetime(in: query.dataHistoryTime)
    var expired: [UInt32] = []
    places.withUnsafeBufferPointer { places in
      for place in places where Int64(place.oldest) <= limit { expired.append(place.cell) }
    }
    return changed.united(with: expired)
  }

  /// The second of the oldest report of the result; nil without one.
  private var oldest: Int64? {
    places.withUnsafeBufferPointer { places in
      var oldest = UInt32.max
      for place in places { oldest = min(oldest, place.oldest) }
      return places.isEmpty ? nil : Int64(oldest)
    }
  }

  /// Replaces the items of cells, and those of all if `cells` is nil.
  ///
  /// - Parameters:
  ///   - new: The new items, sorted by cell.
  ///   - found: The reports behind them, sorted by cell.
  /// - Returns: The replaced items.
  private mutating func replace(
    _ cells: [UInt32]?, with new: [TurbulenceItem], of found: [TurbulenceReport]
  ) -> [TurbulenceItem] {
    let newPlaces = newPlaces(of: found)
    guard let cells else {
      defer { (items, places) = (new, newPlaces) }
      return items
    }
    var replaced: [TurbulenceItem] = []
    var edits: Edits = []
    // The ends of the last edit in the old items, and in the new ones.
    var (end, newEnd) = (0, 0)
    for cell in cells {
      let (start, newStart) = (places.firstIndex(from: end) { $0.cell >= cell }, newEnd)
      end = start
      while end < places.count, places[end].cell == cell { end += 1 }
      while newEnd < newPlaces.count, newPlaces[newEnd].cell == cell { newEnd += 1 }
      edits.append((start..<end, newStart..<newEnd))
      replaced += items[start..<end]
    }
    items.edit(edits, from: new)
    places.edit(edits, from: newPlaces)
    return replaced
  }

  /// Returns the places of the items of some reports, which are sorted by cell.
  private func newPlaces(of found: [TurbulenceReport]) -> [Place] {
    var places: [Place] = []
    for report in found {
      if query.aggregate, let last = places.indices.last, places[last].cell == report.cell {
        places[last].oldest = min(places[last].oldest, report.observedAt)
      } else {
        places.append(Place(cell: report.cell, oldest: report.observedAt))
      }
    }
    return places
  }
}
