public import ContrailGeodesy
public import ContrailH3
public import ContrailWire

/// A hexagon with one report of turbulence.
public struct TurbulenceItem: Hashable, Sendable {
  /// The report that is shown: the most severe of its hexagon, or each.
  public let report: TurbulenceReport
  /// How many reports of the hexagon the query asked for, this one among them; 1 where each is shown.
  public let count: Int
  /// How long ago the turbulence was observed, in seconds.
  public let ageSeconds: Int64

  init(_ report: TurbulenceReport, count: Int, asOf second: Int64) {
    self.report = report
    self.count = count
    ageSeconds = Int64(report.observedAt).age(asOf: second)
  }

  /// The altitude in thousands of feet.
  public var alt: Int { Int(report.altitude) }
  /// The altitude in feet.
  public var altitudeFeet: Int { Int(report.altitude) * 1000 }
  public var sev: TurbulenceSeverity { report.severity }
  /// The eddy dissipation rate in m^(2/3)/s.
  public var edr: Double { Double(report.edrE4) / 10_000 }
  /// Seconds since 1970.
  public var observedAt: Int64 { Int64(report.observedAt) }

  /// The hexagon; nil where the report's index is no cell's.
  public var cell: H3Cell? { H3Cell(packed22: report.cell) }
  /// The H3 index in hexadecimal, such as `85283473fffffff`.
  public var h3: String { String(report.h3Index, radix: 16) }

  /// The hexagon's outline as one closed ring, counter-clockwise: longitudes run on across the antimeridian, beyond ±180°, and a
  /// hexagon that holds a pole is closed along it. For a map that draws such rings in one piece.
  ///
  /// - Complexity: O(1): it is made each time.
  public var ring: [Coordinate] { closedBoundary.unwrapped() }

  /// The outline in closed rings within ±180°, counter-clockwise: two where the antimeridian divides the hexagon (RFC 7946, 3.1.9).
  ///
  /// - Complexity: O(1): it is made each time.
  public var rings: [[Coordinate]] { closedBoundary.isEmpty ? [] : closedBoundary.splitAtAntimeridian() }

  private var closedBoundary: [Coordinate] {
    guard let boundary = cell?.boundary, let first = boundary.first else { return [] }
    return boundary + [first]
  }
}
