import ContrailGeodesy

extension H3Cell {
  /// Returns the outlines of the area covered by cells.
  ///
  /// There is one polygon for each part connected by edges.
  ///
  /// Outer loops are counter-clockwise and holes clockwise; none repeats its first point. The polygons are in the order
  /// of their first cells. If the cells cover the whole earth, the result is eight triangles.
  ///
  /// - Throws: ``H3Error/resolutionMismatch(_:_:)`` unless all cells have the same resolution,
  ///   ``H3Error/duplicate(_:)``.
  /// - Complexity: O(*n*) cells.
  public static func multiPolygon(of cells: some Sequence<H3Cell>) throws(H3Error) -> [H3Polygon] {
    var tracer = MultiPolygonTracer()
    for cell in cells { try tracer.add(cell) }
    return tracer.polygons()
  }
}

/// Traces the edges that have a covered cell on only one side.
private struct MultiPolygonTracer {
  /// The cells in the given order.
  private var cells: [H3Cell] = []
  private var places: [H3Cell: Int] = [:]

  /// An edge of a cell: the index of the cell, and that of the edge, counter-clockwise.
  private struct Edge: Hashable {
    var place: Int
    var edge: Int
  }

  mutating func add(_ cell: H3Cell) throws(H3Error) {
    if let first = cells.first, first.resolution != cell.resolution {
      throw H3Error.resolutionMismatch(first.resolution, cell.resolution)
    }
    guard places.updateValue(cells.count, forKey: cell) == nil else { throw H3Error.duplicate(cell) }
    cells.append(cell)
  }

  func polygons() -> [H3Polygon] {
    guard !cells.isEmpty else { return [] }
    let edges = cells.map(CellEdges.init)
    let parts = parts(edges)
    var lines: [Int: [[Coordinate]]] = [:]
    var walked: Set<Edge> = []
    var loops: [Int: [[Coordinate]]] = [:]
    var order: [Int] = []
    for place in cells.indices {
      for edge in edges[place].neighbors.indices where places[edges[place].neighbors[edge]] == nil {
        guard !walked.contains(Edge(place: place, edge: edge)) else { continue }
        var loop: [Coordinate] = []
        var current = Edge(place: place, edge: edge)
        while walked.insert(current).inserted {
          let line: [[Coordinate]] = lines[current.place] ?? edges[current.place].lines()
          lines[current.place] = line
          if line.indices.contains(current.edge) { loop.append(contentsOf: line[current.edge].dropLast()) }
          current = next(current, edges)
        }
        if loops[parts[place]] == nil { order.append(parts[place]) }
        loops[parts[place], default: []].append(loop)
      }
    }
    if loops.isEmpty { return Self.earth }
    return order.compactMap { part in
      // The area to the left is smallest for the outer loop. For a hole, it is everything but the hole.
      guard let all = loops[part], !all.isEmpty else { return nil }
      let areas = all.map(SphericalArea.steradians)
      var outer = 0
      for index in areas.indices where areas[index] < areas[outer] { outer = index }
      return H3Polygon(outer: all[outer], holes: all.indices.filter { $0 != outer }.map { all[$0] })
    }
  }

  /// Returns the next edge along the outline, with the covered area to the left.
  private func next(_ current: Edge, _ edges: [CellEdges]) -> Edge {
    let here = edges[current.place].neighbors
    let following = (current.edge + 1) % here.count
    guard let place = places[here[following]],
      let back = edges[place].neighbors.firstIndex(of: cells[current.place])
    else { return Edge(place: current.place, edge: following) }
    return Edge(place: place, edge: (back + 1) % edges[place].neighbors.count)
  }

  /// Returns the index of the first cell of each cell's part.
  private func parts(_ edges: [CellEdges]) -> [Int] {
    var parts = [Int](repeating: -1, count: cells.count)
    for start in cells.indices where parts[start] < 0 {
      parts[start] = start
      var pending = [start]
      while let place = pending.popLast() {
        for neighbor in edges[place].neighbors {
          guard let next = places[neighbor], parts[next] < 0 else { continue }
          parts[next] = start
          pending.append(next)
        }
      }
    }
    return parts
  }

  /// Eight triangles between the poles and the equator.
  private static var earth: [H3Polygon] {
    [90.0, -90.0].flatMap { pole in
      [-180.0, -90, 0, 90].map { west in
        let corners = [
          Coordinate(latitude: pole, longitude: west), Coordinate(latitude: 0, longitude: west),
          Coordinate(latitude: 0, longitude: west + 90),
        ]
        return H3Polygon(outer: pole > 0 ? corners : corners.reversed())
      }
    }
  }
}
