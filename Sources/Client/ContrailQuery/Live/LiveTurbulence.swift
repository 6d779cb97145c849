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

  /// A hexagon with items.
  private struct Hexagon {
    var cell: UInt32
    var itemCount: Int
    /// The second of its oldest report, including those behind the shown one.
    var oldest: UInt32
  }

  private let query: TurbulenceQuery
  private let ring: Ring?
  private var area = CellArea.everywhere
  private var terms: Terms?
  /// The reports of each scope, to find out what has changed.
  private var sums: [HeldSum] = []
  private var second: Int64 = 0
  private var hexagons: [Hexagon] = []
  private var items: [TurbulenceItem] = []
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
    defer { expiresAt = state.expiry(of: hexagons.lazy.map { Int64($0.oldest) }.min(), query.dataHistoryTime, second) }
    let found = state.reports(
      views, with: query, in: changed.map { .cells($0) } ?? area, asOf: second, index, own: terms.own)
    let new = query.items(of: found, asOf: second, own: terms.own)
    let old = replace(changed, with: new, of: found)
    if isFirst { return ResultChange(items) }
    return ResultChange(from: old, to: new, of: items)
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
    return changed.united(with: hexagons.filter { Int64($0.oldest) <= limit }.map { $0.cell })
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
    let replacing = Self.hexagons(of: found, isAggregate: query.aggregate)
    guard let cells else {
      defer { (hexagons, items) = (replacing, new) }
      return items
    }
    var replaced: [TurbulenceItem] = []
    var (hexagonEdits, itemEdits): (Edits, Edits) = ([], [])
    // The positions in the old hexagons and items, and in the new ones.
    var (hexagon, item, next, nextItem) = (0, 0, 0, 0)
    for cell in cells {
      let start = hexagons.firstIndex(from: hexagon) { $0.cell >= cell }
      item += query.aggregate ? start - hexagon : hexagons[hexagon..<start].reduce(0) { $0 + $1.itemCount }
      let isOld = start < hexagons.count && hexagons[start].cell == cell
      let isNew = next < replacing.count && replacing[next].cell == cell
      hexagon = start + (isOld ? 1 : 0)
      let (oldEnd, newEnd) = (
        item + (isOld ? hexagons[start].itemCount : 0), nextItem + (isNew ? replacing[next].itemCount : 0)
      )
      hexagonEdits.append((start..<hexagon, next..<next + (isNew ? 1 : 0)))
      itemEdits.append((item..<oldEnd, nextItem..<newEnd))
      replaced += items[item..<oldEnd]
      (item, nextItem, next) = (oldEnd, newEnd, next + (isNew ? 1 : 0))
    }
    hexagons.edit(hexagonEdits, from: replacing)
    items.edit(itemEdits, from: new)
    items.withUnsafeMutableBufferPointer { items in for index in items.indices { items[index].age(to: second) } }
    return replaced
  }

  private static func hexagons(of found: [TurbulenceReport], isAggregate: Bool) -> [Hexagon] {
    var hexagons: [Hexagon] = []
    for report in found {
      if let last = hexagons.indices.last, hexagons[last].cell == report.cell {
        hexagons[last].oldest = min(hexagons[last].oldest, report.observedAt)
        if !isAggregate { hexagons[last].itemCount += 1 }
      } else {
        hexagons.append(Hexagon(cell: report.cell, itemCount: 1, oldest: report.observedAt))
      }
    }
    return hexagons
  }
}
