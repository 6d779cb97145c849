package import ContrailWorld
package import Logging
import ServiceLifecycle

/// Plays the rest of a service's log into a service, at the times of its lines.
package actor LogPlayback: Service {
  private let player: ServiceLogPlayer
  private let service: LiveService
  private let clock: @Sendable () -> Int64
  private let leadMilliseconds: Int64
  private let logger: Logger

  /// - Parameter speed: How many times faster than the real clock the service's clock runs.
  package init(
    _ player: sending ServiceLogPlayer, into service: LiveService, clock: @escaping @Sendable () -> Int64,
    speed: Double, logger: Logger
  ) {
    (self.player, self.service, self.clock, self.logger) = (player, service, clock, logger)
    leadMilliseconds = max(Int64(100 * speed), 1000)
  }

  package func run() async {
    await cancelWhenGracefulShutdown {
      await self.play()
      // The service goes on with the last state of the log.
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }
  }

  private func play() async {
    do throws(ServiceLogError) {
      while let (entry, at) = try player.next() {
        // A line may be folded early: it arrives at its own time. It may not be late, because an answer would lack it.
        while clock() < at - leadMilliseconds, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
        if Task.isCancelled { return }
        _ = await service.gain(entry, at: at)
      }
    } catch {
      logger.error("the log can't be read further", metadata: ["error": "\(error)"])
    }
  }
}
