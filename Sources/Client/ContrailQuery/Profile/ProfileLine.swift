import ContrailGeodesy
import ContrailH3

/// A route as bins, with the hexagons beside it, which is computed once for any number of profiles.
///
/// The route is cut into straight pieces of at most 10 NM, in Cartesian coordinates. A piece differs from the geodesic by 7 m at most,
/// and distances along it and from it by less than 1 m within 100 NM.
package struct ProfileLine: Sendable {
  typealias Vector = SIMD3<Double>

  let route: [Coordinate]
  let widthNM: Double
  let binNM: Double
  let lengthNM: Double
  /// The boundaries of the bins.
  private(set) var edges: [Geodesic.Direct] = []
  /// The middles of the bins.
  private(set) var middles: [Coordinate] = []
  /// The hexagons within the width, in ascending order.
  package private(set) var cells: [UInt32] = []
  /// The bins of each hexagon, by its index in ``cells``. A hexagon that the route passes twice has two.
  private(set) var bins: [(cell: Int, bin: Int)] = []
  /// The route for the place of the aircraft.
  let line: RouteLine

  private var pieces: [Piece] = []
  private var groups: [(center: Vector, radius: Double)] = []

  private struct Piece {
    var start: Vector
    var way: Vector
    var lengthSquared: Double
    var startNM: Double
    var lengthNM: Double
    var bin: Int
  }

  /// A place where the route passes a point.
  struct Pass {
    var alongNM: Double
    var offNM: Double
    var bin: Int
  }

  private static let pieceNM = 10.0
  /// The number of pieces with one bounding sphere.
  private static let groupCount = 16
  /// The upper bound of the distance between the centres of neighbours of resolution 5, and of a place from the centre of its hexagon.
  private static let neighborNM = 12.0
  /// The length of a leg from which its direction is ambiguous, in nautical miles: nearly half the circumference.
  private static let antipodalNM = 10_790.0

  /// - Complexity: O(*b* + *c* · √*b*), with *b* bins and *c* hexagons within the width.
  package init(_ query: ProfileQuery) throws(QueryError) {
    try query.check()
    (route, widthNM, binNM) = (query.route, query.widthNM, query.binNM)
    line = try RouteLine(route)
    lengthNM = line.lengthNM
    if let leg = line.legs.first(where: { $0.lengthNM > Self.antipodalNM }) {
      throw .corridor(.antipodal(index: route.firstIndex(of: leg.start) ?? 0))
    }
    guard lengthNM > 0 else { throw route.isEmpty ? .corridor(.routeEmpty) : .shortRoute }
    let count = max(1, (lengthNM / binNM - 1e-9).rounded(.up))
    guard count <= Double(ProfileQuery.mostBins) else { throw .profile }
    makeBins(Int(count))
    makePieces(Int(count))
    try findCells()
  }

  /// Whether it is the line of a query.
  func isLine(of query: ProfileQuery) -> Bool {
    widthNM == query.widthNM && binNM == query.binNM && route == query.route
  }

  private mutating func makeBins(_ count: Int) {
    for bin in 0...count {
      edges.append(position(at: bin == count ? lengthNM : Double(bin) * binNM))
    }
    for bin in 0..<count {
      middles.append(position(at: (Double(bin) * binNM + min(Double(bin + 1) * binNM, lengthNM)) / 2).coordinate)
    }
  }

  private func position(at alongNM: Double) -> Geodesic.Direct {
    var (low, high) = (0, line.legs.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if line.legs[middle].startNM <= alongNM { low = middle } else { high = middle - 1 }
    }
    let leg = line.legs[low]
    return leg.line.position(atMeters: (alongNM - leg.startNM) * Earth.metersPerNM)
  }

  private mutating func makePieces(_ count: Int) {
    for leg in line.legs {
      var from = 0.0
      var start = Vector(nauticalMiles: leg.start)
      while from < leg.lengthNM {
        let bin = min(Int((leg.startNM + from + 1e-9) / binNM), count - 1)
        let edge = bin == count - 1 ? .infinity : Double(bin + 1) * binNM - leg.startNM
        let to = min(leg.lengthNM, edge, from + Self.pieceNM)
        // Rounding may leave a piece of no length at a boundary.
        guard to - from > 1e-9 else { break }
        let end = Vector(nauticalMiles: leg.line.position(atMeters: to * Earth.metersPerNM).coordinate)
        let way = end - start
        pieces.append(
          Piece(
            start: start, way: way, lengthSquared: (way * way).sum(), startNM: leg.startNM + from, lengthNM: to - from,
            bin: bin))
        (from, start) = (to, end)
      }
    }
    for first in stride(from: 0, to: pieces.count, by: Self.groupCount) {
      let group = pieces[first..<min(first + Self.groupCount, pieces.count)]
      let middle = group[first + group.count / 2].start
      let radius = group.reduce(0) { max($0, middle.distance(to: $1.start), middle.distance(to: $1.start + $1.way)) }
      groups.append((middle, radius))
    }
  }

  /// Finds the hexagons from neighbour to neighbour, beginning with those of the route.
  private mutating func findCells() throws(QueryError) {
    var open: [H3Cell] = []
    var seen: Set<UInt64> = []
    func add(_ cell: H3Cell) { if seen.insert(cell.rawValue).inserted { open.append(cell) } }
    for place in edges.map({ $0.coordinate }) + middles + route {
      do throws(H3Error) {
        add(try H3Cell(place, resolution: 5))
      } catch {
        throw .profile
      }
    }
    var found: [(cell: UInt32, passes: [Pass])] = []
    while let cell = open.popLast() {
      let center = cell.center
      let near = passes(of: center, within: widthNM / 2 + Self.neighborNM)
      guard !near.isEmpty else { continue }
      for neighbor in cell.neighbors { add(neighbor) }
      let within = passes(of: center)
      if !within.isEmpty, let packed = cell.packed22 { found.append((packed, within)) }
    }
    found.sort { $0.cell < $1.cell }
    for (cell, passes) in found {
      for pass in passes where bins.last.map({ $0 != (cells.count, pass.bin) }) ?? true {
        bins.append((cells.count, pass.bin))
      }
      cells.append(cell)
    }
  }

  /// Returns where the route passes a point within half the width: the nearest point of each stretch that does.
  ///
  /// - Complexity: O(√*b*) for most routes, with *b* bins.
  func passes(of point: Coordinate) -> [Pass] { passes(of: point, within: widthNM / 2) }

  private func passes(of point: Coordinate, within half: Double) -> [Pass] {
    let place = Vector(nauticalMiles: point)
    var passes: [Pass] = []
    var last = -2
    for (group, sphere) in groups.enumerated() where place.distance(to: sphere.center) <= sphere.radius + half {
      let first = group * Self.groupCount
      for index in first..<min(first + Self.groupCount, pieces.count) {
        let piece = pieces[index]
        let from = place - piece.start
        let share = min(max((from * piece.way).sum() / piece.lengthSquared, 0), 1)
        let rest = from - piece.way * share
        let off = (rest * rest).sum().squareRoot()
        guard off <= half else { continue }
        let pass = Pass(alongNM: piece.startNM + share * piece.lengthNM, offNM: off, bin: piece.bin)
        // Two pieces are one stretch if the point between them is within the width, too.
        if last == index - 1, let best = passes.last, (from * from).sum() <= half * half {
          if off < best.offNM { passes[passes.count - 1] = pass }
        } else {
          passes.append(pass)
        }
        last = index
      }
    }
    return passes
  }
}

extension SIMD3<Double> {
  /// Creates the Cartesian coordinates of a place on WGS 84, in nautical miles from the centre of the earth.
  fileprivate init(nauticalMiles place: Coordinate) {
    let (sine, cosine) = Libm.sineAndCosine(degrees: place.latitude)
    let (east, zero) = Libm.sineAndCosine(degrees: place.longitude)
    let e2 = Earth.flattening * (2 - Earth.flattening)
    let normal = Earth.equatorialRadiusMeters / Earth.metersPerNM / (1 - e2 * sine * sine).squareRoot()
    self.init(normal * cosine * zero, normal * cosine * east, normal * (1 - e2) * sine)
  }

  @inline(__always)
  fileprivate func distance(to other: SIMD3<Double>) -> Double {
    let way = self - other
    return (way * way).sum().squareRoot()
  }
}
