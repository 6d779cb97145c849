import ContrailGeodesy

/// A cell's edges counter-clockwise: the neighbour behind each, and the line along it.
struct CellEdges {
  /// The neighbours, counter-clockwise: six, a pentagon's five.
  let neighbours: [H3Cell]
  private let cell: H3Cell

  init(_ cell: H3Cell) {
    self.cell = cell
    let isPentagon = cell.isPentagon
    neighbours = GridStep.round.compactMap { direction in
      // A pentagon has no neighbour of its own in direction 1.
      if isPentagon && direction == 1 { return nil }
      var step = GridStep()
      return step.neighbour(of: cell.rawValue, towards: direction).map(H3Cell.init(trusted:))
    }
  }

  /// For each neighbour, the vertices along the edge: both corners, and between them the point where the edge bends, if
  /// it does.
  func lines() -> [[Coordinate]] {
    var (vertices, corners) = cell.outline()
    let count = corners.count
    guard count == neighbours.count, let first = neighbours.first?.center else { return [] }
    corners.append(vertices.count)
    vertices.append(vertices[0])
    let edges = (0..<count).map { Array(vertices[corners[$0]...corners[$0 + 1]]) }
    // The shared edge is the one whose middle lies nearest to the neighbour's centre; the others follow in order.
    var nearest = (edge: 0, distance: Double.infinity)
    for (index, edge) in edges.enumerated() {
      let distance = Self.squaredDistance(first, from: edge[0], and: edge[edge.count - 1])
      if distance < nearest.distance { nearest = (index, distance) }
    }
    return (0..<count).map { edges[(nearest.edge + $0) % count] }
  }

  /// The square of a point's distance from the middle of a chord, through the earth.
  private static func squaredDistance(_ point: Coordinate, from a: Coordinate, and b: Coordinate) -> Double {
    let off = Projection.unitVector(point) * 2 - Projection.unitVector(a) - Projection.unitVector(b)
    return (off * off).sum()
  }
}

extension H3Cell {
  /// The vertices of ``boundary`` and which of them are corners.
  fileprivate func outline() -> (vertices: [Coordinate], corners: [Int]) {
    var corners: UInt16 = 0
    let vertices = [Coordinate](unsafeUninitializedCapacity: Outline.capacity) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      var outline = Outline(vertices: base)
      outline.trace(rawValue)
      count = outline.count
      corners = outline.corners
    }
    return (vertices, vertices.indices.filter { corners >> UInt16($0) & 1 == 1 })
  }

  /// The vertices along the edge to a neighbour, counter-clockwise as seen from the cell; nil if the cells share none.
  func sharedEdge(with neighbour: H3Cell) -> [Coordinate]? {
    let edges = CellEdges(self)
    guard let index = edges.neighbours.firstIndex(of: neighbour) else { return nil }
    let lines = edges.lines()
    return lines.indices.contains(index) ? lines[index] : nil
  }
}
