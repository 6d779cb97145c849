// See README.md.

public import Foundation

public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
  public static let invalid = UIBackgroundTaskIdentifier()
}

@MainActor
open class UIApplication: NSObject {
  public static let shared = UIApplication()
  public func beginBackgroundTask(
    withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier { UIBackgroundTaskIdentifier() }
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackground")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForeground")
}

// Foundation's on Apple's platforms; the open one doesn't have it.
extension NotificationCenter {
  public func notifications(named name: Notification.Name) -> AsyncStream<Notification> { AsyncStream { _ in } }
}
