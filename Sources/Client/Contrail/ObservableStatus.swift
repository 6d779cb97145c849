public import ContrailCore
public import ContrailEngine
public import Observation

/// The status of a scope, for SwiftUI: a view that reads ``status`` is updated when it changes.
///
/// ```swift
/// let corridor = ObservableStatus(of: .corridor, in: client)
/// show(corridor.status.phase.rawValue)
/// ```
///
/// Keep it in a `@State` property of the view.
@MainActor @Observable
public final class ObservableStatus {
  /// The current status.
  public private(set) var status: ScopeStatus

  @ObservationIgnored private var following: Task<Void, Never>?

  /// Observes a scope until the object is released.
  public init(of scope: ScopeID, in client: ContrailClient) {
    status = client.status(of: scope)
    let statuses = client.statuses(of: scope)
    following = Task { [weak self] in
      for await status in statuses { self?.status = status }
    }
  }

  isolated deinit { following?.cancel() }
}
