/// A direction from the earth's centre. Great circles are computed with it, without singularities at poles or the
/// antimeridian.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  @inline(__always) init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Creates the direction of a coordinate on the sphere.
  init(_ coordinate: Coordinate) {
    let latitude = coordinate.latitude * Earth.radian
    let longitude = coordinate.turnedLongitude * Earth.radian
    let c = Libm.cos(latitude)
    self.init(x: c * Libm.cos(longitude), y: c * Libm.sin(longitude), z: Libm.sin(latitude))
  }

  /// The coordinate on the sphere in this direction, for any length of the vector.
  var coordinate: Coordinate {
    Coordinate(
      latitude: Libm.atan2(z, (x * x + y * y).squareRoot()) / Earth.radian,
      longitude: Libm.atan2(y, x) / Earth.radian)
  }

  @inline(__always) func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  @inline(__always) func cross(_ other: UnitVector) -> UnitVector {
    UnitVector(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  @inline(__always) var length: Double { dot(self).squareRoot() }

  /// The unit vector in the same direction; nil for the null vector.
  var normalised: UnitVector? {
    let length = length
    guard length > 0, length.isFinite else { return nil }
    return self * (1 / length)
  }

  /// Returns the angle to another direction in radians, 0…π, which is also precise for small angles and nearly opposite
  /// directions.
  func angle(to other: UnitVector) -> Double { Libm.atan2(cross(other).length, dot(other)) }

  /// A direction perpendicular to this one.
  var anyPerpendicular: UnitVector {
    let axis =
      abs(x) < 0.6 ? UnitVector(x: 1, y: 0, z: 0) : UnitVector(x: 0, y: 1, z: 0)
    let across = cross(axis)
    return across * (1 / across.length)
  }

  @inline(__always) static func + (a: UnitVector, b: UnitVector) -> UnitVector {
    UnitVector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  @inline(__always) static func - (a: UnitVector, b: UnitVector) -> UnitVector {
    UnitVector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  @inline(__always) static func * (a: UnitVector, factor: Double) -> UnitVector {
    UnitVector(x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }

  @inline(__always) static prefix func - (a: UnitVector) -> UnitVector { UnitVector(x: -a.x, y: -a.y, z: -a.z) }
}

extension Coordinate {
  /// The longitude within ±180°, reduced before any conversion, so that −170° and 190° are equal to the last bit.
  @inline(__always) var turnedLongitude: Double {
    abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }
}
