package import ContrailCore

/// Runs a driver over a clock that its owner moves: the recorder, and tests.
///
/// It opens and writes the log at once and keeps the timer. What is left of the actions is its owner's to carry out, in order.
package struct SteppedShell {
  package private(set) var driver: Driver
  /// The application's side; the owner sets things here and then calls ``endTurn(at:)``.
  package var app = AppSide()
  /// When to feed ``DriverEvent/timerFired``, by the device's clock in milliseconds; nil for never.
  package private(set) var timer: Int64?
  /// The log, while it is open.
  package private(set) var log: (any EngineLog)?
  private let open: (_ now: Int64) throws(EngineError) -> (log: any EngineLog, state: State)

  /// - Parameter open: Opens the log, or tries to.
  package init(
    _ configuration: Driver.Configuration,
    open: @escaping (_ now: Int64) throws(EngineError) -> (log: any EngineLog, state: State)
  ) {
    driver = Driver(configuration)
    self.open = open
  }

  /// The state as of the last line that was written.
  package var state: State { driver.state }

  /// Ends a turn of the application and gives the driver what was set.
  ///
  /// - Returns: What the owner has to carry out.
  package mutating func endTurn(at time: EngineTime) -> [DriverAction] {
    app.endTurn()
    let events = app.takeEvents()
    return events.isEmpty ? [] : feed(.app(events), at: time)
  }

  /// Gives the driver an event, and what follows from it at once.
  ///
  /// - Returns: What the owner has to carry out.
  package mutating func feed(_ event: DriverEvent, at time: EngineTime) -> [DriverAction] {
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
