package import ContrailWorld
package import Logging
import ServiceLifecycle

/// Reads the log that services share, as long as the service runs.
package struct LogFollower: Service {
  private let service: LiveService
  private let log: any SharedLog
  private let logger: Logger

  package init(_ service: LiveService, _ log: any SharedLog, logger: Logger) {
    (self.service, self.log, self.logger) = (service, log, logger)
  }

  package func run() async {
    await cancelWhenGracefulShutdown {
      await service.follow(.complete) { milliseconds in
        try? await Task.sleep(for: .milliseconds(milliseconds))
      } failed: { reason in
        logger.error("the shared log can't be read", metadata: ["error": "\(reason)"])
      }
    }
    await log.close()
  }
}
