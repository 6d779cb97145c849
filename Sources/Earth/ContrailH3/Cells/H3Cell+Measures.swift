import CContrail
import ContrailGeodesy

extension H3Cell {
  /// The radius of a sphere with the surface area of WGS 84, in kilometres.
  ///
  /// H3's areas and lengths refer to this sphere.
  public static let earthRadiusKm = 6371.007180918475

  /// The cell's area on the unit sphere, in steradians, which H3 calls rads².
  ///
  /// The edges are treated as great circles. About nine digits are correct at resolution 15, also for cells on the
  /// antimeridian or at a pole, where libh3 has one or two.
  public var areaSteradians: Double { withBoundary { SphericalArea.steradians(about: center, $0) } }

  /// The cell's area in square kilometres.
  public var areaKm2: Double { areaSteradians * Self.earthRadiusKm * Self.earthRadiusKm }

  /// The cell's area in square metres.
  public var areaM2: Double { areaKm2 * 1e6 }

  /// Returns the length of the edge shared with a neighbour, in radians on the unit sphere.
  ///
  /// - Throws: ``H3Error/notNeighbors(_:_:)``.
  public func edgeLengthRadians(to neighbor: H3Cell) throws(H3Error) -> Double {
    guard let edge = sharedEdge(with: neighbor) else { throw H3Error.notNeighbors(self, neighbor) }
    var length = 0.0
    for index in edge.indices.dropFirst() { length += Self.distance(edge[index - 1], edge[index]) }
    return length
  }

  /// Returns the length of the edge shared with a neighbour, in kilometres.
  ///
  /// - Throws: ``H3Error/notNeighbors(_:_:)``.
  public func edgeLengthKm(to neighbor: H3Cell) throws(H3Error) -> Double {
    try edgeLengthRadians(to: neighbor) * Self.earthRadiusKm
  }

  /// Returns the great-circle distance by the haversine formula.
  private static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let up = contrail_sin((b.latitude - a.latitude) * (Double.pi / 360))
    let across = contrail_sin((b.longitude - a.longitude) * (Double.pi / 360))
    let level = contrail_cos(a.latitude * (Double.pi / 180)) * contrail_cos(b.latitude * (Double.pi / 180))
    let chord = up * up + level * across * across
    return 2 * contrail_atan2(chord.squareRoot(), (1 - chord).squareRoot())
  }

  /// Returns the average area of a resolution's hexagons in square kilometres, without pentagons, as published by H3.
  ///
  /// - Throws: ``H3Error/resolution(_:)``.
  public static func averageAreaKm2(resolution: Int) throws(H3Error) -> Double {
    guard averageAreas.indices.contains(resolution) else { throw H3Error.resolution(resolution) }
    return averageAreas[resolution]
  }

  /// Returns the average edge length of a resolution's hexagons in kilometres, without pentagons, as published by H3.
  ///
  /// - Throws: ``H3Error/resolution(_:)``.
  public static func averageEdgeLengthKm(resolution: Int) throws(H3Error) -> Double {
    guard averageEdges.indices.contains(resolution) else { throw H3Error.resolution(resolution) }
    return averageEdges[resolution]
  }

  // Source: H3 4.5, `latLng.c`.
  private static let averageAreas = [
    4.357449416078383e+06, 6.097884417941332e+05, 8.680178039899720e+04, 1.239343465508816e+04, 1.770347654491307e+03,
    2.529038581819449e+02, 3.612906216441245e+01, 5.161293359717191e+00, 7.373275975944177e-01, 1.053325134272067e-01,
    1.504750190766435e-02, 2.149643129451879e-03, 3.070918756316060e-04, 4.387026794728296e-05, 6.267181135324313e-06,
    8.953115907605790e-07,
  ]

  private static let averageEdges = [
    1281.256011, 483.0568391, 182.5129565, 68.97922179, 26.07175968, 9.854090990, 3.724532667, 1.406475763,
    0.531414010, 0.200786148, 0.075863783, 0.028663897, 0.010830188, 0.004092010, 0.001546100, 0.000584169,
  ]
}
