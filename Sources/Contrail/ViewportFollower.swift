import ContrailCore
public import ContrailDeferred
public import ContrailGeodesy

/// Waits for a map to come to rest.
final class ViewportFollower: Sendable {
  private let connection: Cancellable
  private let waiting: Locked<Task<Void, Never>?>

  init(
    _ visibleArea: Channel<[Coordinate]>, restMS: Int64, clock: any EngineClock,
    settled: @escaping @Sendable ([Coordinate]) -> Void
  ) {
    let waiting = Locked<Task<Void, Never>?>(nil)
    self.waiting = waiting
    connection = visibleArea.sink { area in
      let task = Task {
        guard (try? await clock.sleep(until: clock.now + restMS)) != nil, !Task.isCancelled else { return }
        settled(area)
      }
      waiting.withLock { waiting in
        waiting?.cancel()
        waiting = task
      }
    }
  }

  func end() {
    connection.cancel()
    waiting.withLock { $0.take() }?.cancel()
  }
}

extension ContrailClient {
  /// Lets the query's viewport follow the visible area of a map, but only once the map has come to rest: while it moves nothing is
  /// fetched.
  ///
  /// - Parameters:
  ///   - visibleArea: The visible area, as a closed ring of 4 to 250 coordinates; see ``DataQuery/viewport``.
  ///   - restMS: The map is at rest when no other area has come for so long, in milliseconds.
  public func followViewport(_ visibleArea: Channel<[Coordinate]>, restMS: Int64 = 500) {
    stopFollowing()
    let follower = ViewportFollower(visibleArea, restMS: max(restMS, 0), clock: core.clock) { [weak self] area in
      self?.dataQuery.viewport = area
    }
    core.shared.withLock { $0.viewportFollower.replace(with: follower) }?.end()
  }

  /// Leaves the viewport where it is.
  public func stopFollowing() {
    core.shared.withLock { $0.viewportFollower.take() }?.end()
  }
}

extension Optional {
  /// Puts a value in and returns what was there.
  fileprivate mutating func replace(with value: Wrapped) -> Wrapped? {
    defer { self = value }
    return self
  }
}
