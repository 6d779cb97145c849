public import ContrailEngine
public import ContrailGeodesy
public import ContrailWire

/// Reports the turbulence that the aircraft meets, from its vertical acceleration and airspeed.
///
/// ```swift
/// let recorder = MotionRecorder(client: client)
/// for await motion in aircraft.motions {
///   try await recorder.add(motion.sample, at: motion.coordinate, altitudeFeet: motion.altitudeFeet)
/// }
/// ```
///
/// An estimate is made every five seconds. A ``ReportLimiter`` decides which estimates are reported. A report has the
/// greatest EDR of the last minute, and the time and place where it was measured. It is stored and sent like any other
/// report; see ``ContrailClient/report(_:)``. See <doc:Sensors> for the method and its limits.
public actor MotionRecorder {
  private var flight: FlightTurbulence
  private var limiter: ReportLimiter
  private let serverSecond: @Sendable () -> Int64
  private let send: @Sendable (TurbulenceReport) async throws(ClientError) -> Void

  /// The last estimate; nil before the first one.
  public private(set) var estimate: TurbulenceEstimate?

  /// Creates a recorder that hands its reports to a client, and keeps the client running.
  ///
  /// - Parameters:
  ///   - client: The client that stores and sends the reports.
  ///   - response: How strongly the aircraft responds to gusts. The default is an assumption.
  ///   - limiter: Which estimates are reported.
  public init(
    client: ContrailClient, response: AircraftResponse = .mediumTransport, limiter: ReportLimiter = ReportLimiter()
  ) {
    self.init(response: response, limiter: limiter, serverSecond: { client.serverMoment.1 }) {
      (report) throws(ClientError) in
      try await client.report(report)
    }
  }

  /// Creates a recorder with another receiver of its reports.
  ///
  /// - Parameters:
  ///   - serverSecond: Returns the server's time now, in seconds since 1970.
  ///   - send: Stores a report.
  package init(
    response: AircraftResponse, limiter: ReportLimiter, serverSecond: @escaping @Sendable () -> Int64,
    send: @escaping @Sendable (TurbulenceReport) async throws(ClientError) -> Void
  ) {
    flight = FlightTurbulence(response: response)
    self.limiter = limiter
    self.serverSecond = serverSecond
    self.send = send
  }

  /// How strongly the aircraft responds to gusts. It changes with mass, altitude and speed.
  public var response: AircraftResponse { flight.estimator.response }

  /// Sets how strongly the aircraft responds to gusts, from the next estimate on.
  public func setResponse(_ response: AircraftResponse) { flight.estimator.response = response }

  /// The number of samples and windows that were left out, by reason.
  public var exclusions: TurbulenceEstimator.Exclusions { flight.estimator.exclusions }

  /// Adds a sample, and stores a report if one is due.
  ///
  /// The sample must be from now: the time of a report is the time now less the age of the peak.
  ///
  /// - Parameters:
  ///   - sample: The motion of the aircraft.
  ///   - coordinate: The position, in degrees. Without a valid one, nothing is reported.
  ///   - altitudeFeet: The barometric altitude in feet.
  /// - Returns: The report that was stored; nil if none was due.
  /// - Throws: ``/ContrailEngine/ClientError`` as ``ContrailClient/report(_:)`` does, and with code `invalidReport` if the
  ///   altitude is out of range. The report is due again with the next estimate.
  @discardableResult
  public func add(
    _ sample: MotionSample, at coordinate: Coordinate, altitudeFeet: Double
  ) async throws(ClientError) -> TurbulenceReport? {
    let position = FlightTurbulence.Position(coordinate, altitudeFeet: altitudeFeet)
    guard let located = flight.add(sample, at: position) else { return nil }
    let latest = located.estimate
    estimate = latest
    let ageSeconds = latest.timeSeconds - latest.peakTimeSeconds
    let report: TurbulenceReport
    do throws(ReportError) {
      report = try TurbulenceReport(
        at: located.position.coordinate, altitudeFeet: located.position.altitudeFeet, severity: latest.severity,
        edr: latest.peakEDR, observedAt: serverSecond() - Int64(ageSeconds.rounded()))
    } catch {
      throw ClientError(error)
    }
    guard limiter.admits(report, isComplete: latest.isComplete, timeSeconds: latest.timeSeconds) else { return nil }
    do throws(ClientError) {
      try await send(report)
    } catch {
      limiter.withdraw(report)
      throw error
    }
    return report
  }

  /// Resets the filter. Call it after a manual manoeuvre, or after the device was moved.
  public func interrupt() { flight.estimator.interrupt() }
}
