import ContrailGeodesy

/// Finds the cells that belong to an area in the plane of longitude and latitude, starting at the base cells.
///
/// For each cell, the box of its descendants is compared with the edges of the area. If no edge meets it, all
/// descendants are inside or all are outside. Otherwise, its children are compared with the edges that remain relevant,
/// so that each cell is finally tested against a few edges only, in exact integers.
struct PlaneFill {
  private(set) var cells: [H3Cell] = []

  private let loops: PlaneLoops
  private let resolution: Int
  private let containment: H3Containment
  private let limit: Int
  /// The cell of the outer loop's first point, which may contain the whole area.
  private let firstCell: UInt64
  private let turn: Int64
  private let perRadian: Double

  private typealias Edge = PlaneLoops.Edge
  private typealias Lists = UnsafeMutableBufferPointer<Edge>

  private struct Box {
    var west: Int64
    var east: Int64
    var south: Int64
    var north: Int64
  }

  /// The edges relevant to a cell, as a range of the lists, and the loops crossed an odd number of times by the others.
  private struct Near {
    var start: Int
    var count: Int
    var odd: UInt64
  }

  init(loops: PlaneLoops, resolution: Int, containment: H3Containment, first: Coordinate?, limit: Int) {
    self.loops = loops
    self.resolution = resolution
    self.containment = containment
    self.limit = limit
    firstCell = first.flatMap { try? H3Cell($0, resolution: resolution).rawValue } ?? 0
    turn = 360 * loops.unitsPerDegree
    perRadian = 180 / Double.pi * Double(loops.unitsPerDegree)
  }

  /// Computes ``cells``; returns false if there are more than the limit.
  mutating func run() -> Bool {
    let edges = loops.edges
    return withUnsafeTemporaryAllocation(of: Edge.self, capacity: edges.count * (resolution + 3) + 1) { lists in
      for (index, edge) in edges.enumerated() { lists[index] = edge }
      let radius = Cap.unit(0) * (Cap.descent + Cap.circumradius)
      for (baseCell, latitude) in Self.baseCellLatitudes.enumerated() {
        // Most base cells are too far north or south, whatever their longitudes.
        if Int64((latitude - radius) * perRadian) > loops.north || Int64((latitude + radius) * perRadian) < loops.south
        {
          continue
        }
        guard fill(baseCell: baseCell, near: Near(start: 0, count: edges.count, odd: 0), lists: lists) else {
          return false
        }
      }
      return true
    }
  }

  private static let baseCellLatitudes: [Double] = H3Cell.resolution0.map { $0.center.latitude * (Double.pi / 180) }

  private mutating func fill(baseCell: Int, near: Near, lists: Lists) -> Bool {
    let raw = H3Index.cell(resolution: 0, baseCell: baseCell, digits: 0)
    let box = self.box(of: raw, resolution: 0, about: 0)
    guard box.south <= loops.north, box.north >= loops.south else { return true }
    let before = cells.count
    var runs = 0
    // Visit each equivalent of the cell that can meet the area.
    var shift = turn * ((loops.west - box.east) / turn - 1)
    while box.west + shift <= loops.east {
      if box.east + shift >= loops.west {
        let count = cells.count
        guard visit(raw, resolution: 0, about: shift + (box.west + box.east) / 2, near: near, lists: lists) else {
          return false
        }
        if cells.count > count { runs += 1 }
      }
      shift += turn
    }
    if runs > 1 { uniteRuns(since: before) }
    return true
  }

  /// Merges the cells of several runs: an area wider than the world meets a cell more than once.
  private mutating func uniteRuns(since start: Int) {
    let sorted = cells[start...].sorted()
    cells.removeSubrange(start...)
    for cell in sorted where cells.count == start || cells[cells.count - 1] != cell { cells.append(cell) }
  }

  /// Returns the equivalent of a longitude that is nearest to a position in the plane.
  @inline(__always)
  private func nearest(_ longitude: Int64, to place: Int64) -> Int64 {
    var result = longitude
    while result - place > turn / 2 { result -= turn }
    while result - place < -turn / 2 { result += turn }
    return result
  }

  /// Returns the box of the centres of a cell's descendants or, depending on the containment, of the whole descendants.
  @inline(__always)
  private func box(of raw: UInt64, resolution at: Int, about: Int64) -> Box {
    let vector = Lattice(centreOf: raw).vector(resolution: at)
    var radius = at == resolution ? 0 : Cap.unit(at) * Cap.descent
    if containment != .center { radius += Cap.unit(resolution) * Cap.circumradius }
    let cap = Cap(vector, radius: radius)
    let latitude = Int64(cap.latitude * perRadian)
    // A margin of some units for rounding.
    let halfHeight = Int64(cap.halfHeight * perRadian) &+ 9
    guard let width = cap.halfWidth else {
      // Near a pole, all longitudes are relevant: those of descendants are chosen within half a turn of the same
      // position.
      let reach = turn
      return Box(west: about - reach, east: about + reach, south: latitude - halfHeight, north: latitude + halfHeight)
    }
    let longitude = nearest(Int64(cap.longitude * perRadian), to: about)
    let halfWidth = Int64(width * perRadian) &+ 9
    return Box(
      west: longitude &- halfWidth, east: longitude &+ halfWidth, south: latitude &- halfHeight,
      north: latitude &+ halfHeight)
  }

  /// Visits a cell.
  ///
  /// - Parameter about: The longitude of the parent in the plane; the cell's longitude is chosen nearest to it.
  private mutating func visit(
    _ raw: UInt64, resolution at: Int, about: Int64, near: Near, lists: Lists
  ) -> Bool {
    if at == resolution { return visitLeaf(raw, about: about, near: near, lists: lists) }
    let box = box(of: raw, resolution: at, about: about)
    guard box.west <= loops.east, box.east >= loops.west, box.south <= loops.north, box.north >= loops.south else {
      return true
    }
    let middle = (latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
    let (kept, isMet) = sift(near, for: box, lists: lists)
    if !isMet { return holds(middle, near: kept, lists: lists) ? appendAll(raw, at: at) : true }

    let child = H3Index.with(raw, resolution: at &+ 1)
    let shift = UInt64(truncatingIfNeeded: 42 &- 3 &* at)
    let isPentagon = H3Index.isPentagon(raw)
    for digit in UInt64(0)..<7 where !(isPentagon && digit == 1) {
      let next = child & ~(7 &<< shift) | digit &<< shift
      guard visit(next, resolution: at &+ 1, about: middle.longitude, near: kept, lists: lists) else { return false }
    }
    return true
  }

  private mutating func visitLeaf(_ raw: UInt64, about: Int64, near: Near, lists: Lists) -> Bool {
    let center = H3Cell(trusted: raw).center
    let point = (
      latitude: loops.rounded(center.latitude), longitude: nearest(loops.rounded(center.longitude), to: about)
    )
    if containment == .center { return holds(point, near: near, lists: lists) ? append(raw) : true }

    let box = box(of: raw, resolution: resolution, about: about)
    guard box.west <= loops.east, box.east >= loops.west, box.south <= loops.north, box.north >= loops.south else {
      return true
    }
    let (kept, isMet) = sift(near, for: box, lists: lists)
    let isInside = holds(point, near: kept, lists: lists)
    if !isMet { return isInside ? append(raw) : true }
    switch containment {
    case .center:
      return true
    case .overlapping:
      let belongs =
        isInside || raw == firstCell || PlaneCell(raw, about: point, loops: loops).isCrossed(by: edges(kept, lists))
      return belongs ? append(raw) : true
    case .full:
      let cell = PlaneCell(raw, about: point, loops: loops)
      let belongs = isInside && !cell.isCrossed(by: edges(kept, lists)) && !cell.holdsEnd(of: edges(kept, lists))
      return belongs ? append(raw) : true
    }
  }

  private func edges(_ near: Near, _ lists: Lists) -> Slice<Lists> { lists[near.start..<near.start + near.count] }

  /// Keeps the edges relevant to a box, stored after those of the parent; returns whether any may meet it.
  @inline(__always)
  private func sift(_ near: Near, for box: Box, lists: Lists) -> (kept: Near, isMet: Bool) {
    var kept = Near(start: near.start &+ near.count, count: 0, odd: near.odd)
    var isMet = false
    var index = near.start
    let end = near.start &+ near.count
    while index < end {
      let edge = lists[index]
      index &+= 1
      guard edge.north > box.south, edge.south <= box.north, edge.east > box.west else { continue }
      let spans = edge.south <= box.south && edge.north > box.north
      if edge.west > box.east {
        if spans {
          kept.odd ^= edge.loop
          continue
        }
      } else {
        switch Self.place(of: box, beside: edge) {
        case .east:
          continue
        case .west:
          if spans {
            kept.odd ^= edge.loop
            continue
          }
        case .unknown:
          isMet = true
        }
      }
      lists[kept.start &+ kept.count] = edge
      kept.count &+= 1
    }
    return (kept, isMet)
  }

  private enum Place {
    case west
    case east
    case unknown
  }

  /// Returns the side of an edge's line on which a box lies, if it lies entirely on one side.
  @inline(__always)
  private static func place(of box: Box, beside edge: Edge) -> Place {
    let dx = Double(edge.northLongitude &- edge.southLongitude)
    let dy = Double(edge.north &- edge.south)
    let left = Double(box.west &- edge.southLongitude)
    let right = Double(box.east &- edge.southLongitude)
    let low = Double(box.south &- edge.south)
    let high = Double(box.north &- edge.south)
    // Positive west of the line: the nearest corner determines the side, unless it is within the rounding error.
    let westmost = dx * (dx >= 0 ? high : low) - dy * left
    let eastmost = dx * (dx >= 0 ? low : high) - dy * right
    let doubt = 1e-15 * (dx.magnitude * max(low.magnitude, high.magnitude) + dy * max(left.magnitude, right.magnitude))
    if eastmost > doubt { return .west }
    if westmost < -doubt { return .east }
    return .unknown
  }

  @inline(__always)
  private func holds(_ point: PlaneLoops.Point, near: Near, lists: Lists) -> Bool {
    guard point.latitude >= loops.south, point.latitude <= loops.north, point.longitude >= loops.west,
      point.longitude <= loops.east
    else { return false }
    // As in `Ring.contains`, the edge along the north pole has no northern side.
    let isPole = loops.holdsNorthPole && point.latitude == 90 &* loops.unitsPerDegree
    let latitude = isPole ? point.latitude &- 1 : point.latitude
    var odd = near.odd
    var index = near.start
    let end = near.start &+ near.count
    while index < end {
      if lists[index].isCrossed(latitude: latitude, longitude: point.longitude) { odd ^= lists[index].loop }
      index &+= 1
    }
    // Inside the outer loop and no hole.
    return odd == 1
  }

  @inline(__always)
  private mutating func append(_ raw: UInt64) -> Bool {
    guard cells.count < limit else { return false }
    cells.append(H3Cell(trusted: raw))
    return true
  }

  private mutating func appendAll(_ raw: UInt64, at: Int) -> Bool {
    guard H3Index.descendants(raw, generations: resolution - at) <= Int64(limit - cells.count) else { return false }
    H3Children(of: H3Cell(trusted: raw), resolution: resolution).append(to: &cells)
    return true
  }
}
