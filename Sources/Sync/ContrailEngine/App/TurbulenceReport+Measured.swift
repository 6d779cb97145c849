public import ContrailGeodesy
import ContrailH3
public import ContrailWire

/// The reason why a measurement isn't a valid report.
public enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The latitude or longitude isn't a number or is out of range, in degrees.
  case position(latitude: Double, longitude: Double)
  /// The altitude isn't a number, or isn't within 0…52,000 feet when rounded to thousands.
  case altitude(feet: Double)
  /// The EDR isn't within 0…6.5535 m^(2/3)/s.
  case edr(Double)
  /// The time isn't within 1970…2106, in seconds since 1970.
  case time(Int64)
  /// The time is this many seconds ahead of the server's clock.
  case future(seconds: Int64)
  /// The observation is this many seconds old, older than the longest history.
  case old(seconds: Int64)

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .position: "position"
    case .altitude: "altitude"
    case .edr: "edr"
    case .time: "time"
    case .future: "future"
    case .old: "old"
    }
  }

  public var description: String {
    switch self {
    case .position(let latitude, let longitude):
      "the position \(latitude), \(longitude) is not a latitude and longitude in degrees"
    case .altitude(let feet): "the altitude \(feet) ft is outside 0…52,000 ft"
    case .edr(let edr): "the EDR \(edr) is outside 0…6.5535 m^(2/3)/s"
    case .time(let second): "the time \(second) s since 1970 is outside 1970…2106"
    case .future(let seconds): "the time of the observation is \(seconds) s in the future: check the clock"
    case .old(let seconds): "the observation is \(seconds / 3600) h old; the longest history is \(Self.longestHours) h"
    }
  }
}

extension ReportError {
  /// The longest history in hours.
  private static let longestHours = (DataHistoryTime.allCases.map { $0.seconds }.max() ?? 0) / 3600
  /// How far ahead of the server's clock, as far as that is known, a time may be.
  private static let clockToleranceSeconds: Int64 = 300

  /// Checks the time of an observation that was just made.
  ///
  /// - Parameters:
  ///   - second: The time of the observation, in seconds since 1970.
  ///   - now: The server's time, as far as it is known.
  /// - Throws: ``future(seconds:)`` or ``old(seconds:)``.
  package static func check(_ second: Int64, asOf now: Int64) throws(ReportError) {
    let age = now.subtractingReportingOverflow(second)
    guard !age.overflow else { throw .time(second) }
    if age.partialValue < -clockToleranceSeconds { throw .future(seconds: -age.partialValue) }
    if age.partialValue > longestHours * 3600 { throw .old(seconds: age.partialValue) }
  }
}

extension TurbulenceReport {
  /// Creates a report from a measurement, with the H3 cell of resolution 5 and the altitude in thousands of feet.
  ///
  /// - Parameters:
  ///   - coordinate: The position, in degrees.
  ///   - altitudeFeet: The barometric altitude in feet, rounded to the nearest thousand.
  ///   - edr: The eddy dissipation rate in m^(2/3)/s.
  ///   - observedAt: The time of the observation, in seconds since 1970.
  public init(
    at coordinate: Coordinate, altitudeFeet: Double, severity: TurbulenceSeverity, edr: Double, observedAt: Int64
  ) throws(ReportError) {
    var cell: UInt32?
    do throws(H3Error) {
      cell = try H3Cell(coordinate, resolution: 5).packed22
    } catch {}
    guard let cell else {
      throw .position(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
    let thousands = (altitudeFeet / 1000).rounded()
    guard altitudeFeet >= 0, thousands <= Double(AltitudeBand.ceiling) else { throw .altitude(feet: altitudeFeet) }
    guard let edrE4 = UInt16(exactly: (edr * 1e4).rounded()) else { throw .edr(edr) }
    guard let second = UInt32(exactly: observedAt) else { throw .time(observedAt) }
    self.init(
      cell: cell, altitude: UInt8(thousands), severity: severity.rawValue, edrE4: edrE4, observedAt: second)
  }
}
