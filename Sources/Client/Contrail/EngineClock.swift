import Foundation

/// The clock that drives the engine.
package protocol EngineClock: Sendable {
  /// Milliseconds since 1970; never goes back.
  var now: Int64 { get }
  /// The wall clock of the device, which can be set; milliseconds since 1970.
  var wallNow: Int64 { get }
  /// Returns at the given time, or throws if the task is cancelled.
  func sleep(until milliseconds: Int64) async throws
}

extension EngineClock {
  package var wallNow: Int64 { now }
}

/// The system's clock: the wall clock at launch, advanced by the monotonic clock.
package struct SystemClock: EngineClock {
  private let launchedAt: Int64
  private let launch: ContinuousClock.Instant

  package init() {
    launchedAt = Int64(Date().timeIntervalSince1970 * 1000)
    launch = .now
  }

  package var now: Int64 {
    let passed = launch.duration(to: .now).components
    return launchedAt + passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000
  }

  package var wallNow: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  package func sleep(until milliseconds: Int64) async throws {
    let wait = milliseconds - now
    if wait > 0 { try await Task.sleep(for: .milliseconds(wait)) }
  }
}
