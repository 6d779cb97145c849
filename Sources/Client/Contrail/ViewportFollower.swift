import ContrailCore
public import ContrailGeodesy
public import ContrailHTTP

/// Reports the visible area of a map after it has come to rest.
final class ViewportFollower: Sendable {
  private let connection: Cancellable
  private let waiting: Lock<Task<Void, Never>?>

  init<Point: GeographicPoint & Sendable>(
    _ visibleArea: Channel<[Point]>, restMS: Int64, clock: any EngineClock,
    settled: @escaping @Sendable ([Coordinate]) -> Void
  ) {
    let waiting = Lock<Task<Void, Never>?>(nil)
    self.waiting = waiting
    connection = visibleArea.sink { area in
      let task = Task {
        guard (try? await clock.sleep(until: clock.now + restMS)) != nil, !Task.isCancelled else { return }
        settled(area.asCoordinates)
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
  /// Sets the viewport of the query to the visible area of a map whenever the map has come to rest.
  ///
  /// No data is requested while the map moves.
  ///
  /// - Parameters:
  ///   - visibleArea: The visible area, as a closed ring of 4 to 250 coordinates; see ``DataQuery/viewport``.
  ///   - restMS: The map is at rest if its area hasn't changed for this time, in milliseconds.
  public func followViewport<Point: GeographicPoint & Sendable>(
    _ visibleArea: Channel<[Point]>, restMS: Int64 = 500
  ) {
    let follower = ViewportFollower(visibleArea, restMS: max(restMS, 0), clock: core.clock) { [weak self] area in
      self?.dataQuery.viewport = area
    }
    core.shared.withLock { $0.viewportFollower.replace(with: follower) }?.end()
  }

  /// Stops setting the viewport. It keeps its current value.
  public func stopFollowing() {
    core.shared.withLock { $0.viewportFollower.take() }?.end()
  }
}

extension Optional {
  /// Sets the value and returns the previous one.
  fileprivate mutating func replace(with value: Wrapped) -> Wrapped? {
    defer { self = value }
    return self
  }
}
