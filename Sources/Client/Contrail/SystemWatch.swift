import ContrailCore
import ContrailHTTP

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
          client?.setSystemLink(path.status == .satisfied)
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
              let time = BackgroundTime()
              await client?.enterBackground()
              time.end()
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

#if canImport(UIKit) && !os(watchOS)
  /// The time that the system gives to a process after it entered the background.
  @MainActor private final class BackgroundTime {
    private var task = UIBackgroundTaskIdentifier.invalid

    /// Asks for the time. The system ends a process that keeps its task for longer, so the task ends when the system says so.
    init() {
      task = UIApplication.shared.beginBackgroundTask(withName: "Contrail") { [weak self] in self?.end() }
    }

    /// Ends the time, once.
    func end() {
      guard task != .invalid else { return }
      UIApplication.shared.endBackgroundTask(task)
      task = .invalid
    }
  }
#endif
