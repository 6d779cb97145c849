import Contrail
import ContrailCore
import ContrailEngine
import Foundation

/// Moves through a recording and publishes the data that the client's driver derives from its lines.
actor FlightStage: ClientRunner {
  private let path: String
  private let span: ClosedRange<Int64>
  private let clock: PlayerClock
  private let side = SideBox()
  private var driver = Driver(.init(session: .init(engine: EngineVersion.current, id: "player", seed: 0)))
  private var lines: RecordedLines?
  private var isStopped = false
  /// The number of the last move. A later one ends the earlier.
  private var move = 0

  init(path: String, span: ClosedRange<Int64>, clock: PlayerClock) {
    (self.path, self.span, self.clock) = (path, span, clock)
  }

  nonisolated func attach(_ side: ClientSide) { self.side.set(side) }

  nonisolated var position: Duration { .milliseconds(min(clock.now, span.upperBound) - span.lowerBound) }

  var query: DataQuery { DataQuery(driver.state.query) }

  // MARK: Runner

  func launch() async {
    guard driver.state.session == nil else { return }
    try? advance(to: span.lowerBound)
  }

  /// A recording sends nothing.
  nonisolated var requestCount: Int { 0 }

  nonisolated func wake() { Task { await self.takeEvents() } }

  private func takeEvents() {
    guard let side = side.value else { return }
    for event in side.takeEvents() {
      switch event {
      case .observing(let since): driver.observe(since: since)
      case .report(_, let ticket), .awaitOpening(let ticket), .background(let ticket): side.complete(ticket, nil)
      case .airports(_, let ticket), .weather(_, let ticket): if let ticket { side.complete(ticket, nil) }
      case .stop(let ticket):
        isStopped = true
        clock.stop()
        if let ticket { side.complete(ticket, nil) }
        // The side refers to the client's core, which refers to the stage.
        self.side.set(nil)
      case .ready, .turn, .foreground, .clockChanged, .keyRefused: break
      }
    }
  }

  // MARK: Moving

  func seek(to position: Duration) throws(TestingError) {
    move += 1
    try go(to: time(position))
  }

  func play(speed: Double, until end: Duration?) async throws(TestingError) {
    move += 1
    let move = move
    let end = end.map(time) ?? span.upperBound
    guard speed > 0, !isStopped else { return }
    // A seek before may not have opened the recording.
    try advance(to: clock.now)
    clock.run(speed: speed, until: end)
    while clock.now < end, !isStopped, self.move == move {
      let next = min(lines?.nextAt ?? end, end, clock.now + Int64(1000 * speed))
      do {
        try await clock.sleep(until: next)
      } catch {
        break
      }
      guard self.move == move, !isStopped else { return }
      try advance(to: clock.now)
    }
    guard self.move == move else { return }
    if clock.now >= end { try advance(to: end) }
    clock.stop()
  }

  private func time(_ position: Duration) -> Int64 {
    let (seconds, attoseconds) = position.components
    let milliseconds = min(max(seconds, 0), 1 << 40) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
    return min(span.lowerBound + milliseconds, span.upperBound)
  }

  /// Publishes the turns up to a time one after the other.
  private func advance(to time: Int64) throws(TestingError) {
    if lines == nil { lines = try RecordedLines(path: path) }
    while let at = lines?.nextAt, at <= time {
      guard let records = try lines?.next() else { break }
      publish(driver.play(records))
    }
    publish(driver.show(at: time))
  }

  /// Folds up to a time and publishes the difference.
  private func go(to time: Int64) throws(TestingError) {
    var state = driver.state
    if lines == nil || time < clock.now {
      lines = try RecordedLines(path: path)
      state = State()
    }
    while let at = lines?.nextAt, at <= time {
      for record in try lines?.next() ?? [] { state.evolve(record) }
    }
    clock.set(time)
    publish(driver.jump(to: state, at: time))
  }

  private func publish(_ publications: [Publication]) {
    guard !isStopped, let side = side.value else { return }
    publications.forEach(side.publish)
  }
}

/// The client's side, which is set once the client exists.
private final class SideBox: Sendable {
  private let side = Lock<ClientSide?>(nil)

  var value: ClientSide? { side.withLock { $0 } }

  func set(_ new: ClientSide?) { side.withLock { $0 = new } }
}

/// The time of the recording: it stands still, or passes with a speed.
final class PlayerClock: EngineClock {
  private struct Hands {
    var base: Int64
    var run: (since: ContinuousClock.Instant, speed: Double, until: Int64)?

    var now: Int64 {
      guard let run else { return base }
      let (seconds, attoseconds) = run.since.duration(to: .now).components
      let milliseconds = (Double(seconds) * 1000 + Double(attoseconds) / 1e15) * run.speed
      return milliseconds < Double(run.until - base) ? base + Int64(milliseconds) : max(run.until, base)
    }
  }

  private let hands: Lock<Hands>

  init(at time: Int64) { hands = Lock(Hands(base: time)) }

  var now: Int64 { hands.withLock { $0.now } }

  func set(_ time: Int64) { hands.withLock { $0 = Hands(base: time) } }

  func run(speed: Double, until end: Int64) {
    hands.withLock { $0 = Hands(base: $0.now, run: (.now, min(speed, 1e9), end)) }
  }

  func stop() { hands.withLock { $0 = Hands(base: $0.now) } }

  func sleep(until milliseconds: Int64) async throws {
    let (wait, speed) = hands.withLock { (milliseconds - $0.now, $0.run?.speed ?? 1) }
    if wait > 0 { try await Task.sleep(for: .milliseconds(max(1, Int64((Double(wait) / speed).rounded(.up))))) }
  }
}
