import ContrailCore
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
          client?.linkCost = LinkCost(isExpensive: path.isExpensive, isConstrained: path.isConstrained)
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
              // The system suspends the process when this task ends, or when it has run for too long.
              let task = UIApplication.shared.beginBackgroundTask(withName: "Contrail", expirationHandler: nil)
              await client?.enterBackground()
              UIApplication.shared.endBackgroundTask(task)
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
