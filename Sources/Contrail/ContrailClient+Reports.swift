import ContrailCore
public import ContrailDeferred
public import ContrailEngine
public import ContrailGeodesy
public import ContrailWire
public import Foundation

extension ContrailClient {
  /// Hands in what the aircraft has felt. It is kept on disk until the server has confirmed it, also across launches, and sent once
  /// in effect and in order.
  ///
  /// Returns once the report is on stable storage: from then on nothing loses it.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/disk`` where it could not be kept, ``ClientError/Code/stopped``.
  public func report(_ report: TurbulenceReport) async throws(ClientError) {
    if let failure = await core.wait({ .report(report, $0) }) { throw failure }
  }

  /// Hands in what the aircraft has felt, here and now.
  ///
  /// - Parameters:
  ///   - coordinate: Where, in degrees.
  ///   - altitudeFeet: Barometric feet, 0…52,000.
  ///   - edr: The eddy dissipation rate in m^(2/3)/s.
  ///   - observedAt: The time of the observation; nil for now, by the server's clock as far as it is known.
  /// - Throws: ``ClientError`` with ``ClientError/Code/invalidReport`` where a value is out of range, and as ``report(_:)`` does.
  public func report(
    at coordinate: Coordinate, altitudeFeet: Double, severity: TurbulenceSeverity, edr: Double, observedAt: Date? = nil
  ) async throws(ClientError) {
    let (state, now) = moment
    let made: TurbulenceReport
    do throws(ReportError) {
      made = try TurbulenceReport(
        at: coordinate, altitudeFeet: altitudeFeet, severity: severity, edr: edr,
        observedAt: observedAt.map { $0.milliseconds / 1000 } ?? (now + (state.serverOffsetMS ?? 0)) / 1000)
    } catch {
      throw ClientError(error)
    }
    try await report(made)
  }

  /// The same as a future: its value comes once the report is on stable storage.
  public func reportFuture(_ report: TurbulenceReport) -> Future<Void> {
    Future { [self] in try await self.report(report) }
  }

  /// How many reports the server is yet to confirm.
  public var pendingReportCount: Int { core.shown.state.outbox.reports.count }
}
