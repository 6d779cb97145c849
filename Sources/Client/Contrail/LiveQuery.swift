import ContrailCore
import ContrailEngine
import ContrailQuery
import ContrailWire

/// Wakes one reader. Calls before the reader waits count once.
final class LiveSignal: Sendable {
  private struct State {
    var isSet = true
    var isEnded = false
    var reader: CheckedContinuation<Bool, Never>?
  }

  private let state = Lock(State())

  /// Wakes the reader.
  func set() {
    state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if let reader = state.reader.take() { return reader }
      state.isSet = true
      return nil
    }?.resume(returning: true)
  }

  /// Ends the waiting for good.
  func end() {
    state.withLock { state -> CheckedContinuation<Bool, Never>? in
      state.isEnded = true
      return state.reader.take()
    }?.resume(returning: false)
  }

  /// Waits until the signal is set.
  ///
  /// - Returns: Whether it was set; false if it has ended, or the task is cancelled.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let answer = state.withLock { state -> Bool? in
          if state.isEnded { return false }
          if state.isSet {
            state.isSet = false
            return true
          }
          state.reader = reader
          return nil
        }
        if let answer { reader.resume(returning: answer) }
      }
    } onCancel: {
      end()
    }
  }
}

/// A query whose result is read change by change.
///
/// The reader evaluates the query, on its own task: a slow reader gets the difference from what it read last to the newest result.
final class LiveQuery<Item: LiveItem>: Sendable {
  /// Brings the result up to date with a state at a second of the server's time.
  ///
  /// - Returns: The change, and the first second at which time alone may change the result; both may be nil.
  typealias Update = @Sendable (State, Int64, [OwnReport]) -> (change: ResultChange<Item>?, expiresAt: Int64?)

  private let core: ClientCore
  private let update: Update
  private let signal = LiveSignal()
  private let number: Int
  private let timer = Lock<Task<Void, Never>?>(nil)

  init(_ core: ClientCore, _ update: @escaping Update) {
    self.core = core
    self.update = update
    number = core.addSignal(signal)
  }

  deinit {
    core.removeSignal(number)
    timer.withLock { $0.take() }?.cancel()
  }

  /// Waits for the next change of the result; nil after the client has stopped.
  func next() async -> ResultChange<Item>? {
    while await signal.wait() {
      if let change = change() { return change }
    }
    return nil
  }

  private func change() -> ResultChange<Item>? {
    let (shown, own) = core.shared.withLock { ($0.app.shown, $0.app.ownReports.all) }
    // Before the log is open, there may be the data of the database.
    guard shown.isOpen || !shown.state.scopes.isEmpty else { return nil }
    let second = shown.serverSecond(at: core.clock.now)
    let (change, expiresAt) = update(shown.state, second, own)
    wait(until: expiresAt.map { shown.deviceTime(ofServerSecond: $0) })
    return change
  }

  /// Wakes the reader at a time of the device.
  private func wait(until time: Int64?) {
    let task = time.map { time in
      Task { [signal, clock = core.clock] in
        if (try? await clock.sleep(until: time)) != nil { signal.set() }
      }
    }
    timer.withLock { timer in
      defer { timer = task }
      return timer
    }?.cancel()
  }
}
