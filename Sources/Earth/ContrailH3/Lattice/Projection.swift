import ContrailGeodesy

/// Converts between the sphere and the planes of the faces: a gnomonic projection, computed with vectors instead of
/// angles.
enum Projection {
  /// Returns the scale of a class II lattice relative to resolution 0, 7^(r/2); for an odd resolution, that of the
  /// previous one.
  @inline(__always)
  static func scale(_ resolution: Int) -> Double { scales[(resolution &>> 1) & 15] }

  private static let scales: [Double] = [
    1, 7, 49, 343, 2401, 16807, 117_649, 823_543, 5_764_801, 1, 1, 1, 1, 1, 1, 1,
  ]

  /// Returns the point of a face's plane at lattice coordinates in units of resolution 0, as a vector not of unit
  /// length.
  @inline(__always)
  static func vector(face: Int, i: Double, j: Double) -> SIMD3<Double> {
    let at = 3 &* face
    let x = FaceTables.centre[at] + (i * FaceTables.stepI[at] + j * FaceTables.stepJ[at])
    let y = FaceTables.centre[at + 1] + (i * FaceTables.stepI[at + 1] + j * FaceTables.stepJ[at + 1])
    let z = FaceTables.centre[at + 2] + (i * FaceTables.stepI[at + 2] + j * FaceTables.stepJ[at + 2])
    return SIMD3(x, y, z)
  }

  /// Returns the direction of a vector of any length, in radians: latitude, then longitude.
  @inline(__always)
  static func radians(_ vector: SIMD3<Double>) -> SIMD2<Double> {
    let level = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    return Trigonometry.arcTangent(y: SIMD2(vector.z, vector.y), x: SIMD2(level, vector.x))
  }

  /// Returns the coordinate in the direction of a vector of any length.
  @inline(__always)
  static func coordinate(_ vector: SIMD3<Double>) -> Coordinate {
    let degrees = radians(vector) * (180 / Double.pi)
    return Coordinate(latitude: degrees[0], longitude: degrees[1])
  }

  /// Returns the unit vector of a coordinate.
  @inline(__always)
  static func unitVector(_ coordinate: Coordinate) -> SIMD3<Double> {
    let (sine, cosine) = Trigonometry.sineCosine(degrees: SIMD2(coordinate.latitude, coordinate.longitude))
    return SIMD3(cosine[0] * cosine[1], cosine[0] * sine[1], sine[0])
  }
}
