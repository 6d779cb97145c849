#if canImport(CoreLocation)
  public import CoreLocation

  /// Provides the methods of ``GeographicPoint`` for Core Location: `route.buffer(widthNM: 100)`, `ring.simplified()`.
  extension CLLocationCoordinate2D: GeographicPoint {}

  extension Coordinate {
    /// Creates a coordinate from that of Core Location.
    public init(_ coordinate: CLLocationCoordinate2D) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    /// The coordinate as that of Core Location.
    public var clLocationCoordinate2D: CLLocationCoordinate2D {
      CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
  }
#endif
