#if canImport(CoreLocation)
  public import CoreLocation

  /// Core Location's coordinates have all that ``GeographicPoint`` gives: `route.buffer(widthNM: 100)`, `ring.simplified()`.
  extension CLLocationCoordinate2D: GeographicPoint {}

  extension Coordinate {
    /// The same point as Core Location's.
    public init(_ coordinate: CLLocationCoordinate2D) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    /// The same point for Core Location.
    public var clLocationCoordinate2D: CLLocationCoordinate2D {
      CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
  }
#endif
