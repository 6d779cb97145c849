import ContrailCore
import ContrailEngine

#if canImport(BackgroundTasks) && !os(macOS)
  import BackgroundTasks
  public import Foundation
#endif

extension ContrailClient {
  /// Requests the data of the corridor while the application is in the background, and returns when an answer is stored.
  ///
  /// Call it in the time that the system grants, such as for a `BGAppRefreshTask`. Afterwards the client is in the background again.
  ///
  /// - Parameter seconds: The longest time to wait.
  /// - Returns: Whether an answer came. False without a link or a corridor, or if ``byteBudget`` is used up.
  public func refreshInBackground(within seconds: Int = 20) async -> Bool {
    let updates = updates
    do { try await opened() } catch { return false }
    guard isOnline, hasLink, byteStatus.saving != .spent, status(of: .corridor).phase != .unwanted else { return false }
    enterForeground()
    fetchData(refresh: false)
    let clock = core.clock
    let isRefreshed = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await update in updates {
          switch update {
          case .data(.corridor), .confirmed(.corridor): return true
          case .failed(let error) where error.scope == .corridor: return false
          default: break
          }
        }
        return false
      }
      group.addTask {
        try? await clock.sleep(until: clock.now + Int64(seconds) * 1000)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    await enterBackground()
    return isRefreshed
  }

  #if canImport(BackgroundTasks) && !os(macOS)
    /// Registers a background task that refreshes the corridor, and schedules itself again. Call it before the application has launched.
    ///
    /// - Parameters:
    ///   - identifier: The identifier in `BGTaskSchedulerPermittedIdentifiers` of the application's information property list.
    ///   - minutes: The shortest time between two refreshes.
    ///   - client: Returns the client, or makes it.
    /// - Returns: Whether the system accepted it.
    @discardableResult
    public static func registerBackgroundRefresh(
      _ identifier: String, everyMinutes minutes: Int = 15, client: @escaping @Sendable () -> ContrailClient?
    ) -> Bool {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
        nonisolated(unsafe) let task = task
        ContrailClient.scheduleBackgroundRefresh(identifier, afterMinutes: minutes)
        let refresh = Task { task.setTaskCompleted(success: await client()?.refreshInBackground() ?? false) }
        task.expirationHandler = { refresh.cancel() }
      }
    }

    /// Asks the system for the next background refresh. Call it when the application enters the background.
    public static func scheduleBackgroundRefresh(_ identifier: String, afterMinutes minutes: Int = 15) {
      let request = BGAppRefreshTaskRequest(identifier: identifier)
      request.earliestBeginDate = Date(timeIntervalSinceNow: Double(minutes) * 60)
      // Without permission, there is no refresh; the next launch brings the data.
      try? BGTaskScheduler.shared.submit(request)
    }
  #endif
}
