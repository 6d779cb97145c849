public import ContrailGeodesy
import ContrailH3
public import ContrailWire

// Where records are, in the units of maps and flight decks.

extension TurbulenceReport {
  /// The centre of the hexagon; nil if the index of the report is invalid.
  public var coordinate: Coordinate? { H3Cell(packed22: cell)?.center }
  /// The altitude in feet, in steps of a thousand.
  public var altitudeFeet: Int { Int(altitude) * 1000 }
  /// The eddy dissipation rate in m^(2/3)/s.
  public var edr: Double { Double(edrE4) / 10_000 }
}

extension TurbulenceItem {
  /// The centre of the hexagon; nil if the index of the report is invalid.
  public var coordinate: Coordinate? { report.coordinate }
}

extension PIREP {
  /// The position of the aircraft that reported.
  public var coordinate: Coordinate { position.coordinate }
  /// The altitude in feet; nil if it wasn't reported.
  public var altitudeFeet: Int? { flightLevel.map { $0 * 100 } }
}

extension TrafficPosition {
  /// The position of the aircraft.
  public var coordinate: Coordinate { position.coordinate }
}
