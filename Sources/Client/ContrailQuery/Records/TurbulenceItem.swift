public import ContrailGeodesy
public import ContrailH3
public import ContrailWire

/// A hexagon with a turbulence report.
public struct TurbulenceItem: Hashable, Sendable {
  /// The report: the most severe one of the hexagon, or each one.
  public let report: TurbulenceReport
  /// The number of matching reports in the hexagon, including this one; 1 if the query doesn't aggregate.
  public let count: Int
  /// The age of the report, in seconds.
  public private(set) var ageSeconds: Int64
  /// What has become of the report, if this device made it and the query includes own reports; otherwise nil.
  public let ownState: OwnReport.State?
  /// Whether it stands for all reports of its hexagon.
  let isAggregate: Bool

  /// The severity for the query's aircraft category; nil if that is the service's, or there is no category.
  private let categorySeverity: TurbulenceSeverity?

  /// The severity: that of the service, or of the query's aircraft category.
  public var sev: TurbulenceSeverity { categorySeverity ?? report.severity }

  init(
    _ report: TurbulenceReport, count: Int, asOf second: Int64, _ aircraft: AircraftCategory?, isAggregate: Bool,
    ownState: OwnReport.State?
  ) {
    self.report = report
    self.count = count
    self.isAggregate = isAggregate
    self.ownState = ownState
    categorySeverity = aircraft.map { $0.severity(of: report) }.flatMap { $0 == report.severity ? nil : $0 }
    ageSeconds = Int64(report.observedAt).age(asOf: second)
  }

  /// Returns the item at another time.
  func aged(to second: Int64) -> TurbulenceItem {
    var item = self
    item.ageSeconds = Int64(report.observedAt).age(asOf: second)
    return item
  }

  /// The altitude in thousands of feet.
  public var alt: Int { Int(report.altitude) }
  /// The altitude in feet.
  public var altitudeFeet: Int { Int(report.altitude) * 1000 }
  /// The eddy dissipation rate in m^(2/3)/s.
  public var edr: Double { Double(report.edrE4) / 10_000 }
  /// The time of observation, in seconds since 1970.
  public var observedAt: Int64 { Int64(report.observedAt) }

  /// The hexagon; nil if the index of the report is invalid.
  public var cell: H3Cell? { H3Cell(packed22: report.cell) }
  /// The H3 index in hexadecimal, such as `85283473fffffff`.
  public var h3: String { String(report.h3Index, radix: 16) }

  /// The hexagon's boundary as one closed ring, counter-clockwise, for maps that draw such rings in one piece.
  ///
  /// Longitudes continue across the antimeridian, beyond ±180°. A hexagon that contains a pole is closed along it.
  ///
  /// - Complexity: O(1). The ring is computed on each access.
  public var ring: [Coordinate] { closedBoundary.unwrapped() }

  /// The hexagon's boundary as closed rings within ±180°, counter-clockwise.
  ///
  /// There are two rings if the antimeridian divides the hexagon (RFC 7946, 3.1.9).
  ///
  /// - Complexity: O(1). The rings are computed on each access.
  public var rings: [[Coordinate]] { closedBoundary.isEmpty ? [] : closedBoundary.splitAtAntimeridian() }

  private var closedBoundary: [Coordinate] {
    guard let boundary = cell?.boundary, let first = boundary.first else { return [] }
    return boundary + [first]
  }
}
