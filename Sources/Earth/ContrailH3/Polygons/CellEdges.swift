import ContrailGeodesy

/// The edges of a cell, counter-clockwise, each with its neighbour and its vertices.
struct CellEdges {
  /// The neighbours, counter-clockwise: six, or five for a pentagon.
  let neighbors: [H3Cell]
  private let cell: H3Cell

  init(_ cell: H3Cell) {
    self.cell = cell
    let isPentagon = cell.isPentagon
    neighbors = GridStep.round.compactMap { direction in
      // A pentagon has no neighbour in direction 1.
      if isPentagon && direction == 1 { return nil }
      var step = GridStep()
      return step.neighbor(of: cell.rawValue, towards: direction).map(H3Cell.init(trusted:))
    }
  }

  /// Returns the vertices along the edge to each neighbour: both corners, and the point where the edge bends, if any.
  func lines() -> [[Coordinate]] {
    var (vertices, corners) = cell.outline()
    let count = corners.count
    guard count == neighbors.count, let first = neighbors.first?.center else { return [] }
    corners.append(vertices.count)
    vertices.append(vertices[0])
    let edges = (0..<count).map { Array(vertices[corners[$0]...corners[$0 + 1]]) }
    // The edge whose midpoint is nearest to the first neighbour's centre is shared with it; the others follow in order.
    var nearest = (edge: 0, distance: Double.infinity)
    for (index, edge) in edges.enumerated() {
      let distance = Self.squaredDistance(first, from: edge[0], and: edge[edge.count - 1])
      if distance < nearest.distance { nearest = (index, distance) }
    }
    return (0..<count).map { edges[(nearest.edge + $0) % count] }
  }

  /// Returns the squared distance of a point from the midpoint of a chord.
  private static func squaredDistance(_ point: Coordinate, from a: Coordinate, and b: Coordinate) -> Double {
    let off = Projection.unitVector(point) * 2 - Projection.unitVector(a) - Projection.unitVector(b)
    return (off * off).sum()
  }
}

extension H3Cell {
  /// The vertices of ``boundary``, and the indices of those that are corners.
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

  /// Returns the vertices along the edge to a neighbour, counter-clockwise as seen from the cell; nil if the cells
  /// share none.
  func sharedEdge(with neighbor: H3Cell) -> [Coordinate]? {
    let edges = CellEdges(self)
    guard let index = edges.neighbors.firstIndex(of: neighbor) else { return nil }
    let lines = edges.lines()
    return lines.indices.contains(index) ? lines[index] : nil
  }
}
