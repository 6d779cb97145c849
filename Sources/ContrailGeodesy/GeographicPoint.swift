/// What has a latitude and a longitude in degrees and can be made from them: ``Coordinate``, and where Core Location exists,
/// `CLLocationCoordinate2D`.
///
/// Arrays of such points have routes' and rings' whole arithmetic (`buffer`, `simplified`, `densified`, …).
public protocol GeographicPoint {
  /// Degrees north of the equator, −90…90.
  var latitude: Double { get }
  /// Degrees east of Greenwich.
  var longitude: Double { get }

  init(latitude: Double, longitude: Double)
}

extension Coordinate: GeographicPoint {}

extension GeographicPoint {
  /// The same point as a ``Coordinate``.
  @inlinable public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

  /// The same place as another kind of point.
  @inlinable public init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension Array where Element: GeographicPoint {
  /// The same points as ``Coordinate``s.
  @inlinable public var asCoordinates: [Coordinate] {
    map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
  }
}
