public import ContrailHTTP
public import ContrailQuery
public import Observation

/// The result of a live query, for SwiftUI: a view that reads ``items`` is updated when they change.
///
/// ```swift
/// let hexagons = ObservableResult(try client.observe(TurbulenceQuery()))
/// show("\(hexagons.items.count) hexagons")
/// ```
///
/// Keep it in a `@State` property of the view. For Combine, ``channel`` has the same values.
@MainActor @Observable
public final class ObservableResult<Item: LiveItem> {
  /// The current result; empty until data is available.
  public private(set) var items: [Item] = []

  /// The results, for sinks and publishers: the current one, and each new one.
  public var channel: Channel<[Item]> { source.channel }

  @ObservationIgnored private let source = ChannelSource<[Item]>()
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Follows a live query until the object is released.
  public init(_ changes: AsyncStream<ResultChange<Item>>) {
    following = Task { [weak self, source] in
      for await change in changes {
        let items = change.items
        self?.items = items
        source.send(items)
      }
    }
  }

  isolated deinit { following?.cancel() }
}
