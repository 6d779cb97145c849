public import ContrailHTTP
public import ContrailQuery
public import Observation

/// The turbulence along a route, for SwiftUI: a view that reads ``profile`` is updated when it is shown differently.
///
/// ```swift
/// let ahead = ObservableProfile(try client.observe(ProfileQuery(along: route)))
/// show("\(ahead.profile?.cells.count ?? 0) cells")
/// ```
///
/// Keep it in a `@State` property of the view. For Combine, ``channel`` has the same values. A profile as it is now, with ages, is
/// ``ContrailClient/profile(with:)``.
@MainActor @Observable
public final class ObservableProfile {
  /// The last profile; nil until data is available.
  public private(set) var profile: RouteProfile?

  /// The profiles, for sinks and publishers: the last one, and each new one with the bins to draw again.
  public var channel: Channel<ProfileChange> { source.channel }

  @ObservationIgnored private let source = ChannelSource<ProfileChange>()
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Follows a live query until the object is released.
  public init(_ changes: AsyncStream<ProfileChange>) {
    following = Task { [weak self, source] in
      for await change in changes {
        self?.profile = change.profile
        source.send(change)
      }
    }
  }

  isolated deinit { following?.cancel() }
}
