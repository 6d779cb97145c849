import ContrailDeferred

#if canImport(Network)
  import Dispatch
  import Network
#endif
#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit
#endif

/// Observes the network state and the application's life cycle, on platforms that report them.
final class SystemWatch: Sendable {
  private let endings: Lock<[@Sendable () -> Void]>

  init(_ configuration: ContrailClient.Configuration, client: ContrailClient) {
    var endings: [@Sendable () -> Void] = []
    #if canImport(Network)
      if configuration.followsSystemLink {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { [weak client] path in
          client?.core.setLink { $0.setLink(path.status == .satisfied) }
        }
        monitor.start(queue: .global(qos: .utility))
        endings.append { monitor.cancel() }
      }
    #endif
    #if canImport(UIKit) && !os(watchOS)
      if configuration.followsAppLifecycle {
        let tasks = [
          Task { @MainActor [weak client] in
            for await _ in NotificationCenter.default.notifications(named: UIApplication.didEnterBackgroundNotification)
            {
              await client?.enterBackground()
            }
          },
          Task { @MainActor [weak client] in
            for await _ in NotificationCenter.default.notifications(
              named: UIApplication.willEnterForegroundNotification)
            {
              client?.enterForeground()
            }
          },
        ]
        endings.append { tasks.forEach { $0.cancel() } }
      }
    #endif
    self.endings = Lock(endings)
  }

  func end() {
    let endings = endings.withLock { endings in
      defer { endings = [] }
      return endings
    }
    endings.forEach { $0() }
  }

  deinit { end() }
}
