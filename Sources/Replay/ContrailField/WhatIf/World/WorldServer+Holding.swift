import ContrailCore
import ContrailWire

// Held requests: the server answers as their terms say.

extension WorldServer {
  /// Returns the second at which a held request is answered.
  ///
  /// - Parameters:
  ///   - spec: The requested data.
  ///   - since: The watermark of the request.
  ///   - terms: The terms of the request.
  ///   - second: The server's time at which the request arrives, in seconds.
  func answerSecond(_ spec: FetchSpec, since: Int64, _ terms: HoldTerms, from second: Int64) -> Int64 {
    var due = second + terms.seconds
    func note(arrival: Int64, observedAt: Int64, isUrgent: Bool) {
      let second = max(arrival + terms.delaySeconds(isUrgent: isUrgent), second)
      // A record that is older than the history by then isn't in the answer.
      if observedAt > second - spec.history.seconds { due = min(due, second) }
    }
    if spec.types.contains(.turbulence) {
      let order = order(spec)
      let filter = spec.filter.reports(asOf: second)
      for place in order.partition({ arrivals[Int($0)] >= since })..<order.count {
        let arrival = Int64(arrivals[Int(order[place])])
        if arrival >= due { break }
        let report = world.observations[Int(order[place])].report
        guard filter.admits(report) else { continue }
        note(arrival: arrival, observedAt: Int64(report.observedAt), isUrgent: terms.isUrgent(report))
      }
    }
    if spec.types.contains(.pireps) {
      for index in shapes.pilotReports(in: spec.area, spec.areaDigest, world) where pilotArrivals[index] >= since {
        let pirep = world.pilotReports[index].pirep
        note(arrival: pilotArrivals[index], observedAt: pirep.observedAt, isUrgent: terms.isUrgent(pirep))
      }
    }
    // Traffic changes all the time, like an ordinary record.
    if spec.types.contains(.traffic) { due = min(due, max(since + terms.delaySeconds(isUrgent: false), second)) }
    return due
  }
}

extension HoldTerms {
  /// The time from the arrival of a record until it is answered, in seconds: it is served from the next second on.
  func delaySeconds(isUrgent: Bool) -> Int64 { isUrgent ? 1 : max(ordinarySeconds, 1) }
}
