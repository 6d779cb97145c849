public import ContrailCore
public import ContrailEngine
public import Observation

/// How a scope is kept up to date, for SwiftUI: a view that reads ``status`` is drawn again when it changes.
///
/// ```swift
/// @State private var corridor = ObservableStatus(of: .corridor, in: client)
/// Text(corridor.status.phase.rawValue)
/// ```
@MainActor @Observable
public final class ObservableStatus {
  /// The newest status.
  public private(set) var status: ScopeStatus

  @ObservationIgnored private var following: Task<Void, Never>?

  /// Follows a scope for as long as the object lives.
  public init(of scope: ScopeID, in client: ContrailClient) {
    status = client.status(of: scope)
    let statuses = client.statuses(of: scope)
    following = Task { [weak self] in
      for await status in statuses { self?.status = status }
    }
  }

  isolated deinit { following?.cancel() }
}
