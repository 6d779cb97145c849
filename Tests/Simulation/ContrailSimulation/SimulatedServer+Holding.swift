import ContrailCore
import ContrailGeodesy
import ContrailHTTP
import ContrailWire

extension SimulatedServer {
  /// Returns when a request is answered that asks to be held, in milliseconds since 1970; nil for one that is answered at once.
  ///
  /// - Parameter slackSeconds: How much longer than asked for it is held.
  mutating func release(_ request: TransportRequest, atMS now: Int64, slackSeconds: Int64 = 0) -> Int64? {
    let parts = Target.parts(request.target)
    guard holdSeconds > 0, knowsAreas, request.target.hasPrefix(AreaRequest.prefix),
      let wait = HoldTerms.wait(request.headers.first { $0.name == HoldTerms.field }?.value),
      let areas = try? AreaRequest.requests(handles: parts.handle, items: parts.items, wait: wait),
      hasKey(request, atMS: now)
    else { return nil }
    var due = now + (endsHoldsEarly ? 10 : min(wait, holdSeconds) + slackSeconds) * 1000
    for area in areas {
      guard let ring = rings[area.handle], remembered.contains(area.handle), let terms = area.hold,
        let since = area.since, since <= now / 1000, now / 1000 - since <= retentionSeconds
      else { return nil }
      include(ring)
      let spec = FetchSpec(area: .ring(ring), filter: area.filter)
      for var news in world.news(spec, terms, from: since, to: due / 1000 + 1) {
        if holdsUrgentNews { news.isUrgent = false }
        let answer = max(news.due(terms), now / 1000)
        if answer < news.endsAt { due = min(due, answer * 1000) }
      }
    }
    return max(due, now)
  }
}
