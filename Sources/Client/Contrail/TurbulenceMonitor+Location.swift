#if canImport(CoreLocation)
  public import ContrailGeodesy
  public import ContrailQuery
  public import CoreLocation

  extension AircraftPosition {
    /// Creates a position from a fix of the device. An invalid course or speed is unknown, and so is an invalid altitude.
    ///
    /// The altitude is that of satellites above mean sea level; the altitudes of reports are barometric. In cruise they differ by up to about
    /// 2,000 ft. Feed barometric altitudes where the aircraft provides them.
    public init(_ location: CLLocation) {
      let feetPerMeter = 1 / 0.3048
      let knotsPerMeterPerSecond = 3600.0 / 1852
      self.init(
        coordinate: Coordinate(location.coordinate),
        altitudeFeet: location.verticalAccuracy > 0 ? location.altitude * feetPerMeter : nil,
        trackDegrees: location.course >= 0 ? location.course : nil,
        groundSpeedKnots: location.speed >= 0 ? location.speed * knotsPerMeterPerSecond : nil)
    }
  }

  extension TurbulenceMonitor {
    /// Feeds the positions of the device, until the task is cancelled or the updates end.
    ///
    /// ```text
    /// .task { try? await monitor.followLocation() }
    /// ```
    ///
    /// The app asks for the authorization itself.
    ///
    /// - Throws: The error of Core Location.
    public func followLocation() async throws {
      for try await update in CLLocationUpdate.liveUpdates(.airborne) {
        if let location = update.location { self.update(AircraftPosition(location)) }
      }
    }
  }
#endif
