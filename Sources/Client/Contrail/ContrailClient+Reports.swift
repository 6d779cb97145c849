import ContrailCore
public import ContrailEngine
public import ContrailGeodesy
public import ContrailHTTP
public import ContrailWire
public import Foundation

extension ContrailClient {
  /// Stores an ownship report, and sends it to the server when the device is online.
  ///
  /// Reports are kept on disk, also across launches, until the server has confirmed them. They are sent in order, and each counts once.
  /// The method returns when the report is on stable storage.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/disk`` if it can't be stored, ``ClientError/Code/stopped``,
  ///   ``ClientError/Code/invalidReport`` if it was observed in the future or before the longest history, by the server's clock as far as it
  ///   is known, or ``ClientError/Code/unsupported`` if the service of the configuration takes no reports.
  public func report(_ report: TurbulenceReport) async throws(ClientError) {
    guard session?.service.isContrail != false else {
      throw ClientError.unsupported(
        "The service of the configuration takes no ownship reports",
        advice: "The report wasn't stored. Send reports by a client of a service of Contrail.")
    }
    do throws(ReportError) {
      try ReportError.check(Int64(report.observedAt), asOf: serverMoment.1)
    } catch {
      throw ClientError(error)
    }
    if let failure = await core.wait({ .report(report, $0) }) { throw failure }
  }

  /// Stores a report of turbulence that the aircraft measured, and sends it when the device is online.
  ///
  /// - Parameters:
  ///   - coordinate: The position, in degrees.
  ///   - altitudeFeet: The barometric altitude in feet, 0…52,000.
  ///   - severity: The severity.
  ///   - edr: The eddy dissipation rate in m^(2/3)/s.
  ///   - observedAt: The time of the observation, not in the future and not older than the longest history; nil for now, by the
  ///     server's clock as far as it is known.
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidReport`` if a value is out of range, and the errors of ``report(_:)``.
  public func report(
    at coordinate: Coordinate, altitudeFeet: Double, severity: TurbulenceSeverity, edr: Double, observedAt: Date? = nil
  ) async throws(ClientError) {
    let (_, second) = serverMoment
    let made: TurbulenceReport
    do throws(ReportError) {
      made = try TurbulenceReport(
        at: coordinate, altitudeFeet: altitudeFeet, severity: severity, edr: edr,
        observedAt: observedAt.map { $0.milliseconds / 1000 } ?? second)
    } catch {
      throw ClientError(error)
    }
    try await report(made)
  }

  /// Returns a future of ``report(_:)``.
  public func reportFuture(_ report: TurbulenceReport) -> Future<Void> {
    Future { [self] in try await self.report(report) }
  }

  /// The number of reports that the server hasn't confirmed yet.
  public var pendingReportCount: Int { core.shown.state.outbox.reports.count }
}
