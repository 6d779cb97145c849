public import ContrailH3
public import ContrailWire

/// A cluster of turbulence ahead: reports that hang together by neighbouring hexagons, altitudes and severities.
public struct TurbulenceAlert: Hashable, Sendable, Identifiable {
  /// What became of the cluster since it was last told.
  public enum Phase: Hashable, Sendable {
    /// It was not there before: the time to say it.
    case new
    /// It is known, and now holds more severe turbulence than it ever did: worth saying again.
    case worsened
    /// It is known; its reports, altitudes or severities are others.
    case changed
    /// It is known; but for the distance, nothing is new.
    case unchanged
    /// It is passed, expired, or no longer in the way. Its figures are the last that were known.
    case ended
  }

  /// How the way ahead was found.
  public enum Mode: Hashable, Sendable {
    /// Along the route.
    case route
    /// In a beam along the track.
    case beam
  }

  /// The cluster's number: the same as long as it is the same cluster.
  public let id: Int
  public internal(set) var phase: Phase
  public let mode: Mode

  /// How far it is to the nearest report in nautical miles: along the route to abeam of its hexagon's centre, or straight to the
  /// centre; 0 within.
  public let distanceNM: Double
  /// How far it is to the farthest report, likewise.
  public let farthestNM: Double
  /// The direction from the aircraft to the nearest report's hexagon, in degrees from true north, 0 ..< 360.
  public let bearingDegrees: Double
  /// The seconds until ``distanceNM`` is flown at the present ground speed; nil where that isn't known or is below one knot.
  public let timeToGoSeconds: Double?

  /// The most severe turbulence of the cluster.
  public let severity: TurbulenceSeverity
  /// The lowest and the highest report, in feet.
  public let altitudeBandFeet: ClosedRange<Int>
  /// How many reports there are.
  public let count: Int
  /// When the newest was observed, in seconds since 1970.
  public let newestAt: Int64
  /// How long ago that is, in seconds.
  public let ageSeconds: Int64
  /// The nearest report: of several at one distance the one nearest in altitude, then the most severe.
  public let nearest: TurbulenceReport
  /// The hexagons, in ascending order.
  public let cells: [H3Cell]
  /// A sum over the reports, by which a change is known.
  let digest: UInt64
}
