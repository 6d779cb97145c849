// See README.md.

public import Foundation

@MainActor
open class UIApplication: NSObject {
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackground")
  public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForeground")
}

// Foundation's on Apple's platforms; the open one doesn't have it.
extension NotificationCenter {
  public func notifications(named name: Notification.Name) -> AsyncStream<Notification> { AsyncStream { _ in } }
}
