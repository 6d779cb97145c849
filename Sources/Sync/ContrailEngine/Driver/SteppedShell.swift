package import ContrailCore

/// Runs a driver with a clock that its owner advances, for the recorder and tests.
///
/// It opens and writes the log synchronously, and stores the timer. The owner performs the other actions, in order.
package final class SteppedShell {
  package private(set) var driver: Driver
  /// The application's side. After changes, call ``endTurn(at:)``.
  package var app: AppSide
  /// The time to feed ``DriverEvent/timerFired``, by the device's clock in milliseconds; nil for never.
  package private(set) var timer: Int64?
  /// The log, while it is open.
  package private(set) var log: (any EngineLog)?
  private let open: (_ now: Int64) throws(EngineError) -> (log: any EngineLog, state: State)

  /// Creates a shell.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the driver.
  ///   - open: A function that opens the log.
  package init(
    _ configuration: Driver.Configuration,
    open: @escaping (_ now: Int64) throws(EngineError) -> (log: any EngineLog, state: State)
  ) {
    driver = Driver(configuration)
    app = AppSide(configuration.settings)
    self.open = open
  }

  /// The state after the last written line.
  package var state: State { driver.state }
  /// Whether the application is in the background.
  package var isInBackground: Bool { driver.isInBackground }

  /// Ends a turn of the application and passes its events to the driver.
  ///
  /// - Returns: The actions for the owner.
  package func endTurn(at time: EngineTime) -> [DriverAction] {
    app.endTurn()
    let events = app.takeEvents()
    return events.isEmpty ? [] : feed(.app(events), at: time)
  }

  /// Passes an event and its immediate results to the driver.
  ///
  /// - Returns: The actions for the owner.
  package func feed(_ event: DriverEvent, at time: EngineTime) -> [DriverAction] {
    if case .timerFired = event { timer = nil }
    var left: [DriverAction] = []
    driver.run(event, at: time) { _, actions, _ in
      var results: [DriverEvent] = []
      for action in actions {
        switch action {
        case .open:
          do throws(EngineError) {
            let opened = try open(time.now)
            log = opened.log
            results.append(.opened(OpenedLog(state: opened.state, status: opened.log.status)))
          } catch {
            results.append(.openingFailed(error))
          }
        case .log(let command): if let log { results.append(log.result(of: command)) }
        case .setTimer(let at): timer = at
        case .publish(let publication):
          app.show(publication)
          left.append(action)
        case .close:
          log = nil
          left.append(action)
        default: left.append(action)
        }
      }
      return results
    }
    return left
  }
}
