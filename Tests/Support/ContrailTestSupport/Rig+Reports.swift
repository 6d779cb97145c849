package import ContrailCore
package import ContrailWire

extension Rig {
  /// Answers a request of an area with what `change` makes of an empty answer as of now.
  @discardableResult
  package mutating func answer(
    _ id: ScopeID = .corridor, sent: SentBytes? = nil, with change: (inout ObservationsAnswer) -> Void
  ) -> [String] {
    var body = ObservationsAnswer(token: now / 1000, follows: state.scope(id)?.inFlight?.since)
    change(&body)
    return answer(id) {
      $0.status = 200
      $0.sent = sent
      $0.body = .inline(body.json)
    }
  }

  /// Lets a minute pass and answers with so many reports of that minute, at random places.
  package mutating func flyOneMinute(reports count: Int, using random: inout SplitMix64) {
    pass(seconds: 60)
    let second = now / 1000
    let reports = (0..<count).map { _ in
      ModelServer.report(at: second - Int64.random(in: 0..<60, using: &random), using: &random)
    }
    answer { $0.reports = reports }
  }
}
