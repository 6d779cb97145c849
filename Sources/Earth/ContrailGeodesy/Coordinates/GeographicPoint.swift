/// A type with a latitude and a longitude in degrees: ``Coordinate`` and, if available, `CLLocationCoordinate2D`.
///
/// Arrays of such points provide the methods of routes and rings (`buffer`, `simplified`, `densified`, …).
public protocol GeographicPoint {
  /// Degrees north of the equator, −90…90.
  var latitude: Double { get }
  /// Degrees east of Greenwich.
  var longitude: Double { get }

  init(latitude: Double, longitude: Double)
}

extension Coordinate: GeographicPoint {}

extension GeographicPoint {
  /// The point as a ``Coordinate``.
  @inlinable public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

  /// Creates a point from a ``Coordinate``.
  @inlinable public init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension Array where Element: GeographicPoint {
  /// The points as ``Coordinate`` values.
  @inlinable public var asCoordinates: [Coordinate] {
    map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
  }
}
