public import ContrailGeodesy

extension H3Cell {
  /// The cell's vertices, counter-clockwise, without repeating the first.
  ///
  /// A hexagon has six vertices, a pentagon five. A class III cell on an edge of the icosahedron has one more for each
  /// of its edges that bends there, up to ten in total.
  ///
  /// - Complexity: O(resolution), with one allocation for the array.
  public var boundary: [Coordinate] {
    Array(unsafeUninitializedCapacity: Outline.capacity) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      var outline = Outline(vertices: base)
      outline.trace(rawValue)
      count = outline.count
    }
  }

  /// Calls `body` with the vertices of ``boundary``, without allocating memory.
  public func withBoundary<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Coordinate>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var store = OutlineStore()
    return try withUnsafeMutableBytes(of: &store) { bytes throws(Failure) in
      let vertices = bytes.bindMemory(to: Coordinate.self)
      guard let base = vertices.baseAddress else { return try body(UnsafeBufferPointer(vertices)) }
      var outline = Outline(vertices: base)
      outline.trace(rawValue)
      return try body(UnsafeBufferPointer(start: base, count: outline.count))
    }
  }
}

/// Storage for ten coordinates.
private struct OutlineStore {
  private typealias Pair = (SIMD2<Double>, SIMD2<Double>)
  private var vertices: (Pair, Pair, Pair, Pair, Pair) = (
    (.zero, .zero), (.zero, .zero), (.zero, .zero), (.zero, .zero), (.zero, .zero)
  )
}

/// Computes a cell's vertices in the lattice three times as fine as its class II lattice, where they are lattice
/// points.
struct Outline {
  static let capacity = 10

  /// The storage for the vertices, with room for ten.
  let vertices: UnsafeMutablePointer<Coordinate>
  private(set) var count = 0
  /// One bit per vertex: 1 for a corner, where three cells meet; 0 for a point where an edge bends.
  private(set) var corners: UInt16 = 0

  @inline(__always)
  init(vertices: UnsafeMutablePointer<Coordinate>) { self.vertices = vertices }

  /// The steps from a cell's centre to its vertices, counter-clockwise from the i axis, in class II.
  private static let stepsII: [Int8] = [2, 1, 1, 2, -1, 1, -2, -1, -1, -2, 1, -1]
  /// The steps from a cell's centre to its vertices in class III.
  private static let stepsIII: [Int8] = [5, 4, 1, 5, -4, 1, -5, -4, -1, -5, 4, -1]

  @inline(__always)
  mutating func trace(_ rawValue: UInt64) {
    let resolution = H3Index.resolution(rawValue)
    trace(centre: Lattice(centreOf: rawValue), resolution: resolution, isPentagon: H3Index.isPentagon(rawValue))
  }

  /// Computes the vertices of a cell.
  ///
  /// - Parameters:
  ///   - centre: The cell's centre in the class II lattice of its resolution, or of the next one.
  ///   - resolution: The cell's resolution.
  ///   - isPentagon: Whether the cell is a pentagon.
  @inline(__always)
  mutating func trace(centre: Lattice, resolution: Int, isPentagon: Bool) {
    let reach = 3 &* Lattice.reach(resolution &+ 1)
    let unit = 1 / (3 * Projection.scale(resolution &+ 1))
    let isClassIII = resolution & 1 == 1
    let middle = Lattice(face: centre.face, i: 3 &* centre.i, j: 3 &* centre.j)
    // The upper bound by which a vertex is further out than the centre.
    if middle.extent &+ (isClassIII ? 9 : 3) <= reach {
      let steps = isClassIII ? Self.stepsIII : Self.stepsII
      for vertex in 0..<6 {
        let i = Double(middle.i &+ Int(steps[2 &* vertex])) * unit
        let j = Double(middle.j &+ Int(steps[2 &* vertex &+ 1])) * unit
        vertices[vertex] = Projection.coordinate(Projection.vector(face: middle.face, i: i, j: j))
      }
      count = 6
      corners = 0b11_1111
    } else if isPentagon {
      tracePentagon(middle, reach: reach, unit: unit, isClassIII: isClassIII)
    } else {
      traceAcross(middle, reach: reach, unit: unit, isClassIII: isClassIII)
    }
  }

  private static func vertex(_ index: Int, of middle: Lattice, isClassIII: Bool) -> Lattice {
    let steps = isClassIII ? stepsIII : stepsII
    return Lattice(
      face: middle.face, i: middle.i &+ Int(steps[2 &* index]), j: middle.j &+ Int(steps[2 &* index &+ 1]))
  }

  private mutating func append(face: Int, i: Double, j: Double, unit: Double) {
    guard count < Self.capacity else { return }
    vertices[count] = Projection.coordinate(Projection.vector(face: face, i: i * unit, j: j * unit))
    count += 1
  }

  private mutating func appendCorner(_ point: Lattice, unit: Double) {
    corners |= 1 << UInt16(truncatingIfNeeded: count)
    append(face: point.face, i: Double(point.i), j: Double(point.j), unit: unit)
  }

  /// Appends the point where the line from a to b, both in the lattice of one face, crosses the face's edge.
  private mutating func appendCrossing(from a: Lattice, to b: Lattice, edge: Int, reach: Int, unit: Double) {
    let start = a.extent(towards: edge)
    let run = b.extent(towards: edge) &- start
    guard run != 0 else { return }
    let t = Double(reach &- start) / Double(run)
    append(
      face: a.face, i: Double(a.i) + t * Double(b.i &- a.i), j: Double(a.j) + t * Double(b.j &- a.j), unit: unit)
  }

  /// Computes the vertices of a hexagon that may lie on two faces.
  private mutating func traceAcross(_ middle: Lattice, reach: Int, unit: Double, isClassIII: Bool) {
    var previous = Lattice(face: -1, i: 0, j: 0)
    var previousSide = Lattice.Side.within
    for index in 0...6 {
      let flat = Self.vertex(index % 6, of: middle, isClassIII: isClassIII)
      var point = flat
      var side = point.cross(reach: reach)
      if side == .beyond && point.extent == reach { side = .edge }
      if isClassIII && index > 0 && point.face != previous.face && previousSide != .edge {
        let other = previous.face == middle.face ? point.face : previous.face
        let edge = Lattice.edge(of: middle.face, to: other)
        let last = Self.vertex((index + 5) % 6, of: middle, isClassIII: isClassIII)
        // If the crossing is a vertex, both adjacent edges lie on one face.
        if last.extent(towards: edge) != reach && flat.extent(towards: edge) != reach {
          appendCrossing(from: last, to: flat, edge: edge, reach: reach, unit: unit)
        }
      }
      if index < 6 { appendCorner(point, unit: unit) }
      (previous, previousSide) = (point, side)
    }
  }

  /// Computes the vertices of a pentagon, whose corners lie on five faces.
  private mutating func tracePentagon(_ middle: Lattice, reach: Int, unit: Double, isClassIII: Bool) {
    var previous = middle
    for index in 0...5 {
      var point = Self.vertex(index % 5, of: middle, isClassIII: isClassIII)
      for _ in 0..<5 {
        if point.cross(reach: reach) != .beyond || point.extent == reach { break }
      }
      if isClassIII && index > 0 {
        // Every edge of a class III pentagon bends.
        var flat = point
        flat.move(across: Lattice.edge(of: point.face, to: previous.face), reach: reach)
        flat.face = previous.face
        let edge = Lattice.edge(of: previous.face, to: point.face)
        appendCrossing(from: previous, to: flat, edge: edge, reach: reach, unit: unit)
      }
      if index < 5 { appendCorner(point, unit: unit) }
      previous = point
    }
  }
}
