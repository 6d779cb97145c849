import ContrailGeodesy
import ContrailWire

/// Holds requests until they are due: feeds the registry with what arrives, and wakes the tasks of the requests.
actor HoldDesk {
  private enum Waiter {
    case arriving
    case waiting(CheckedContinuation<Void, Never>)
    case released
  }

  private let service: ObservationService
  private var registry = HoldRegistry()
  private var waiters: [Int: Waiter] = [:]
  /// The number of requests that each caller with a limit has here.
  private var callers = CallerCounts()
  /// Everything that arrived before this second is known to the registry; nil before the first request.
  private var seen: Int64?
  private var isClosed = false
  private let maximumCount: Int

  /// - Parameter maximumCount: The maximum number of held requests. Further ones are answered at once.
  init(_ service: ObservationService, maximumCount: Int) {
    self.service = service
    self.maximumCount = maximumCount
  }

  /// The number of requests that wait.
  var count: Int { waiters.values.count { if case .waiting = $0 { true } else { false } } }

  /// Returns when a request is due, or its task is cancelled.
  ///
  /// - Parameters:
  ///   - caller: The caller, and how many of its requests may be held at a time; nil for no limit of its own.
  ///   - now: The time in milliseconds since 1970.
  /// - Returns: Whether the request was held: neither is the desk closed now, nor are too many held.
  func wait(for areas: [HoldRegistry.Area], of caller: LimitedCaller? = nil, now: Int64) async -> Bool {
    guard !isClosed, registry.count < maximumCount, !areas.isEmpty else { return false }
    guard callers.begin(caller) else { return false }
    defer { callers.end(caller) }
    let second = max(seen ?? now / 1000, now / 1000)
    if registry.count == 0 { seen = second }
    let start = seen ?? second
    // Added first: what arrives from `start` on comes by the feed, and what arrived before is looked up.
    let id = registry.add(areas, at: now / 1000)
    waiters[id] = .arriving
    for (index, area) in areas.enumerated() {
      let since = area.request.since ?? start
      registry.noteTraffic(since: since, id, index)
      for arrival in await service.arrivals(from: since, to: start) where area.request.ring.contains(arrival.place) {
        registry.note(arrival, id, index, at: start)
      }
    }
    wake(registry.release(at: now / 1000))
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard case .arriving = waiters[id], !Task.isCancelled else {
          waiters[id] = nil
          registry.remove(id)
          return continuation.resume()
        }
        waiters[id] = .waiting(continuation)
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
    return !isClosed
  }

  private func cancel(_ id: Int) {
    registry.remove(id)
    if case .waiting(let continuation) = waiters.removeValue(forKey: id) { continuation.resume() }
  }

  private func wake(_ ids: [Int]) {
    for id in ids {
      switch waiters[id] {
      case .arriving: waiters[id] = .released
      case .waiting(let continuation):
        waiters[id] = nil
        continuation.resume()
      case .released, nil: break
      }
    }
  }

  /// Answers what is due at a time, in milliseconds since 1970. To be called once a second.
  func advance(to now: Int64) async {
    guard registry.count > 0, let start = seen, start < now / 1000 else { return }
    let end = now / 1000
    seen = end
    for arrival in await service.news(from: start, to: end) { registry.arrive(arrival) }
    wake(registry.release(at: end))
  }

  /// Answers all held requests.
  func releaseAll() { wake(registry.releaseAll()) }

  /// Answers all held requests, and holds none from now on.
  func close() {
    isClosed = true
    wake(registry.releaseAll())
  }

  /// Returns the next time at which a held request is due as far as the world is known, in milliseconds since 1970; nil if none is
  /// held.
  func nextRelease(after now: Int64) async -> Int64? {
    guard registry.count > 0, let start = seen else { return nil }
    return await service.release(of: registry, from: start).map { max($0 * 1000, now) }
  }
}

extension ObservationService {
  /// Returns the first second at which a request of a registry is due; nil if none is held.
  ///
  /// - Parameter start: The second from which on arrivals aren't known to the registry.
  func release(of registry: HoldRegistry, from start: Int64) -> Int64? {
    var registry = registry
    var second = start
    while let due = registry.nextDue {
      if due <= second { return second }
      for arrival in arrivals(from: second, to: second + 1) { registry.arrive(arrival) }
      second += 1
    }
    return nil
  }

  /// Returns the time at which a request would be answered that begins at a time and isn't interrupted, in milliseconds since 1970.
  func release(of areas: [HoldRegistry.Area], now: Int64) -> Int64 {
    var registry = HoldRegistry()
    let start = now / 1000
    let id = registry.add(areas, at: start)
    for (index, area) in areas.enumerated() {
      let since = area.request.since ?? start
      registry.noteTraffic(since: since, id, index)
      for arrival in arrivals(from: since, to: start) where area.request.ring.contains(arrival.place) {
        registry.note(arrival, id, index, at: start)
      }
    }
    return max((release(of: registry, from: start) ?? start) * 1000, now)
  }
}
