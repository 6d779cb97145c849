public import ContrailH3
public import ContrailWire

/// A cluster of turbulence ahead: reports connected by adjacent hexagons, altitudes and severities.
public struct TurbulenceAlert: Hashable, Sendable, Identifiable {
  /// The change of a cluster since the last alert.
  public enum Phase: Hashable, Sendable {
    /// The cluster appears for the first time: alert the crew.
    case new
    /// The cluster is known, and its severity exceeds all earlier values: alert the crew again.
    case worsened
    /// The cluster is known; its reports, altitudes or severities changed.
    case changed
    /// The cluster is known; nothing changed except the distance.
    case unchanged
    /// The cluster is passed, expired, or no longer ahead. Its values are the last known ones.
    case ended
  }

  /// The criterion for being ahead.
  public enum Mode: Hashable, Sendable {
    /// Along the route.
    case route
    /// Within a beam along the track.
    case beam
  }

  /// The identifier of the cluster, which doesn't change while the cluster exists.
  public let id: Int
  public package(set) var phase: Phase
  public let mode: Mode

  /// The distance to the nearest report, in nautical miles; 0 inside it.
  ///
  /// Along a route, it is measured to the point abeam of the hexagon's centre; in a beam, straight to the centre.
  public let distanceNM: Double
  /// The distance to the farthest report, measured the same way.
  public let farthestNM: Double
  /// The bearing of the nearest report's hexagon from the aircraft, in degrees from true north, 0 ..< 360.
  public let bearingDegrees: Double
  /// The time to fly ``distanceNM`` at the current ground speed, in seconds.
  ///
  /// Nil if the ground speed is unknown or below one knot.
  public let timeToGoSeconds: Double?

  /// The highest severity in the cluster.
  public let severity: TurbulenceSeverity
  /// The altitudes of the lowest and highest report, in feet.
  public let altitudeBandFeet: ClosedRange<Int>
  /// The number of reports.
  public let count: Int
  /// The time of the newest report, in seconds since 1970.
  public let newestAt: Int64
  /// The age of the newest report, in seconds.
  public let ageSeconds: Int64
  /// The nearest report. At equal distance, the nearest in altitude, then the most severe one.
  public let nearest: TurbulenceReport
  /// The hexagons, in ascending order.
  public let cells: [H3Cell]
  /// What the alert is based on. PIREPs and polygons appear as reports with an eddy dissipation rate of 0.
  public let sources: AlertSources
  /// The sum of the reports' digests, used to detect changes.
  let digest: UInt64
}
