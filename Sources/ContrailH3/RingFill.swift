import ContrailGeodesy

/// Finds the cells whose centres lie in a ring, from the base cells down.
///
/// Of each cell on the way the box round its descendants' centres is held against the ring's edges. If none meets it, all of its
/// descendants are in or all are out. Otherwise its children go on with the edges that can still matter to them, so that in the end a
/// centre is tested against a few edges only; the test is the ring's own, in exact integers.
struct RingFill {
  private(set) var cells: [H3Cell] = []

  private let resolution: Int
  private let limit: Int
  private let holdsNorthPole: Bool
  private let edges: [Edge]
  private var west = Int.max
  private var east = Int.min
  private var south = Int.max
  private var north = Int.min

  private static let degree = Int(FixedCoordinate.degree)
  private static let turn = 360 * degree
  private static let perRadian = 180 / Double.pi * 1e7

  /// An edge of the ring in the plane, from its southern end; 1e-7 degrees.
  private struct Edge {
    var south: Int
    var southLongitude: Int
    var north: Int
    var northLongitude: Int

    @inline(__always)
    var west: Int { min(southLongitude, northLongitude) }
    @inline(__always)
    var east: Int { max(southLongitude, northLongitude) }

    /// Whether a line eastwards from the point crosses the edge.
    @inline(__always)
    func isCrossed(latitude: Int, longitude: Int) -> Bool {
      guard latitude >= south, latitude < north, longitude < east else { return false }
      if longitude < west { return true }
      return (longitude &- southLongitude) &* (north &- south)
        < (latitude &- south) &* (northLongitude &- southLongitude)
    }

    /// Whether the edge's line surely passes the box by, and if so whether to its east.
    @inline(__always)
    func passes(_ box: Box) -> (isPast: Bool, isEast: Bool) {
      let dx = Double(northLongitude &- southLongitude)
      let dy = Double(north &- south)
      let left = Double(box.west &- southLongitude)
      let right = Double(box.east &- southLongitude)
      let low = Double(box.south &- south)
      let high = Double(box.north &- south)
      // Positive west of the line; the nearest corner decides. Rounding stays far below the box's own margin.
      let leaning = dx >= 0
      let westmost = dx * (leaning ? high : low) - dy * left
      let eastmost = dx * (leaning ? low : high) - dy * right
      if eastmost > 1e6 { return (true, true) }
      if westmost < -1e6 { return (true, false) }
      return (false, false)
    }
  }

  private struct Box {
    var west: Int
    var east: Int
    var south: Int
    var north: Int
  }

  /// The edges that can matter to a cell's descendants, in ``EdgeLists``, and whether the others are crossed an odd number of times.
  private struct Near {
    var start: Int
    var count: Int
    var isOdd: Bool
  }

  init(ring: Ring, resolution: Int, limit: Int) {
    self.resolution = resolution
    self.limit = limit
    holdsNorthPole = ring.pole == .north
    let plane = Self.plane(of: ring)
    var edges: [Edge] = []
    edges.reserveCapacity(plane.count)
    for index in plane.indices {
      let point = plane[index]
      west = min(west, point.longitude)
      east = max(east, point.longitude)
      south = min(south, point.latitude)
      north = max(north, point.latitude)
      guard index > 0 else { continue }
      let last = plane[index - 1]
      // No centre lies beyond a pole, so an edge along one divides nothing.
      if last.latitude == point.latitude && abs(point.latitude) == 90 * Self.degree { continue }
      let (low, high) = last.latitude <= point.latitude ? (last, point) : (point, last)
      edges.append(
        Edge(
          south: low.latitude, southLongitude: low.longitude, north: high.latitude, northLongitude: high.longitude))
    }
    self.edges = edges
  }

  /// The ring unrolled into the plane, closed over the pole that it holds.
  private static func plane(of ring: Ring) -> [(latitude: Int, longitude: Int)] {
    var plane: [(latitude: Int, longitude: Int)] = []
    plane.reserveCapacity(ring.points.count + 3)
    for point in ring.points {
      var longitude = Int(point.longitudeE7)
      if let last = plane.last {
        let step = (longitude - last.longitude) % turn
        longitude = last.longitude + (step >= turn / 2 ? step - turn : step < -turn / 2 ? step + turn : step)
      }
      plane.append((Int(point.latitudeE7), longitude))
    }
    if let pole = ring.pole, let first = plane.first, let last = plane.last {
      let latitude = pole == .north ? 90 * degree : -90 * degree
      plane.append((latitude, last.longitude))
      plane.append((latitude, first.longitude))
      plane.append(first)
    }
    return plane
  }

  /// Fills ``cells``; false if they are more than the limit.
  mutating func run() -> Bool {
    let room = edges.count * (resolution + 2)
    return withUnsafeTemporaryAllocation(of: Edge.self, capacity: max(room, 1)) { lists in
      for (index, edge) in edges.enumerated() { lists[index] = edge }
      for baseCell in 0..<BaseCellTables.count {
        guard fill(baseCell: baseCell, lists: lists) else { return false }
      }
      return true
    }
  }

  private mutating func fill(baseCell: Int, lists: UnsafeMutableBufferPointer<Edge>) -> Bool {
    let raw = H3Index.cell(resolution: 0, baseCell: baseCell, digits: 0)
    let (cap, longitude) = cap(of: raw, resolution: 0)
    let latitude = Int(cap.latitude * Self.perRadian)
    let halfHeight = Int(cap.halfHeight * Self.perRadian) + 3
    guard latitude - halfHeight <= north, latitude + halfHeight >= south else { return true }
    let halfWidth = cap.halfWidth.map { Int($0 * Self.perRadian) + 3 } ?? 300 * Self.degree
    let before = cells.count
    var runs = 0
    // Each equivalent of the cell that can meet the ring.
    var place = longitude + Self.turn * ((west - halfWidth - longitude) / Self.turn - 1)
    while place - halfWidth <= east {
      if place + halfWidth >= west {
        let count = cells.count
        guard
          visit(raw, resolution: 0, about: place, near: Near(start: 0, count: edges.count, isOdd: false), lists: lists)
        else { return false }
        if cells.count > count { runs += 1 }
      }
      place += Self.turn
    }
    if runs > 1 { uniteRuns(since: before) }
    return true
  }

  /// A ring that is wider than the world meets a cell more than once.
  private mutating func uniteRuns(since start: Int) {
    let sorted = cells[start...].sorted()
    cells.removeSubrange(start...)
    for cell in sorted where cells.count == start || cells[cells.count - 1] != cell { cells.append(cell) }
  }

  @inline(__always)
  private func cap(of raw: UInt64, resolution: Int) -> (cap: Cap, longitude: Int) {
    let vector = Lattice(centreOf: raw).vector(resolution: resolution)
    let cap = Cap(vector, radius: Cap.unit(resolution) * Cap.descent)
    return (cap, Int((cap.longitude * Self.perRadian).rounded(.toNearestOrEven)))
  }

  /// The equivalent of a longitude that is nearest to a place in the plane.
  @inline(__always)
  private static func nearest(_ longitude: Int, to place: Int) -> Int {
    var result = longitude
    while result - place > turn / 2 { result -= turn }
    while result - place < -turn / 2 { result += turn }
    return result
  }

  /// - Parameter about: where in the plane the parent lies; the cell's longitude is read nearest to it.
  private mutating func visit(
    _ raw: UInt64, resolution at: Int, about: Int, near: Near, lists: UnsafeMutableBufferPointer<Edge>
  ) -> Bool {
    if at == resolution {
      let center = H3Cell(trusted: raw).center
      guard let point = FixedCoordinate(center) else { return true }
      let longitude = Self.nearest(Int(point.longitudeE7), to: about)
      return holds(latitude: Int(point.latitudeE7), longitude: longitude, near: near, lists: lists)
        ? append(raw) : true
    }

    let (cap, ownLongitude) = cap(of: raw, resolution: at)
    let latitude = Int((cap.latitude * Self.perRadian).rounded(.toNearestOrEven))
    let halfHeight = Int(cap.halfHeight * Self.perRadian) + 3
    var longitude = about
    var halfWidth = 600 * Self.degree
    if let width = cap.halfWidth {
      longitude = Self.nearest(ownLongitude, to: about)
      halfWidth = Int(width * Self.perRadian) + 3
    }
    let box = Box(
      west: longitude - halfWidth, east: longitude + halfWidth, south: latitude - halfHeight,
      north: latitude + halfHeight)
    guard box.west <= east, box.east >= west, box.south <= north, box.north >= south else { return true }
    let (kept, isMet) = sift(near, for: box, lists: lists)
    if !isMet {
      return holds(latitude: latitude, longitude: longitude, near: kept, lists: lists) ? appendAll(raw, at: at) : true
    }
    let child = H3Index.with(raw, resolution: at + 1)
    let shift = UInt64(truncatingIfNeeded: 42 - 3 * at)
    let isPentagon = H3Index.isPentagon(raw)
    for digit in UInt64(0)..<7 where !(isPentagon && digit == 1) {
      let next = child & ~(7 << shift) | digit << shift
      guard visit(next, resolution: at + 1, about: longitude, near: kept, lists: lists) else { return false }
    }
    return true
  }

  /// Keeps the edges that can matter inside a box, behind those of the parent; says whether any may meet it.
  private func sift(
    _ near: Near, for box: Box, lists: UnsafeMutableBufferPointer<Edge>
  ) -> (kept: Near, isMet: Bool) {
    var kept = Near(start: near.start + near.count, count: 0, isOdd: near.isOdd)
    var isMet = false
    for index in near.start..<near.start + near.count {
      let edge = lists[index]
      guard edge.north > box.south, edge.south <= box.north, edge.east > box.west else { continue }
      let spans = edge.south <= box.south && edge.north > box.north
      if edge.west > box.east {
        if spans {
          kept.isOdd.toggle()
          continue
        }
      } else {
        let (isPast, isEast) = edge.passes(box)
        if isPast && !isEast { continue }
        if isPast && spans {
          kept.isOdd.toggle()
          continue
        }
        if !isPast { isMet = true }
      }
      lists[kept.start + kept.count] = edge
      kept.count += 1
    }
    return (kept, isMet)
  }

  private func holds(
    latitude: Int, longitude: Int, near: Near, lists: UnsafeMutableBufferPointer<Edge>
  ) -> Bool {
    guard latitude >= south, latitude <= north, longitude >= west, longitude <= east else { return false }
    // As in `Ring.contains`: the edge along the north pole has no northern side of its own.
    let level = holdsNorthPole && latitude == 90 * Self.degree ? latitude - 1 : latitude
    var isOdd = near.isOdd
    for index in near.start..<near.start + near.count
    where lists[index].isCrossed(latitude: level, longitude: longitude) {
      isOdd.toggle()
    }
    return isOdd
  }

  @inline(__always)
  private mutating func append(_ raw: UInt64) -> Bool {
    guard cells.count < limit else { return false }
    cells.append(H3Cell(trusted: raw))
    return true
  }

  private mutating func appendAll(_ raw: UInt64, at: Int) -> Bool {
    let parent = H3Cell(trusted: raw)
    guard cells.count + H3Index.descendants(raw, generations: resolution - at) <= limit else { return false }
    Descendants(of: parent, resolution: resolution).append(to: &cells)
    return true
  }
}
