// See README.md.

public import Dispatch
public import Foundation

open class BGTask: NSObject {
  public var expirationHandler: (() -> Void)?
  public func setTaskCompleted(success: Bool) {}
}

open class BGTaskRequest: NSObject {
  public var earliestBeginDate: Date?
}

public class BGAppRefreshTaskRequest: BGTaskRequest {
  public init(identifier: String) {}
}

public final class BGTaskScheduler: @unchecked Sendable {
  public static let shared = BGTaskScheduler()
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { true }
  public func submit(_ taskRequest: BGTaskRequest) throws {}
}
