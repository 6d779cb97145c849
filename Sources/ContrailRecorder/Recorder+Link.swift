import ContrailCore
import ContrailEngine
import ContrailLink

extension Recorder.Options {
  /// Returns the time that the link takes for an exchange, and what arrives of each request.
  func passage(
    of requests: [OutgoingRequest], _ outcomes: [RequestResult], first: Int64, at now: Int64
  ) -> (delayMS: Int64, arrived: [RequestResult]) {
    var (body, up, down) = (requests.reduce(0) { $0 + $1.body.count }, Int64(0), Int64(0))
    for outcome in outcomes {
      switch outcome {
      case .answered(let answer):
        body += answer.body.count
        up += answer.response.sent?.total ?? 0
        down += answer.response.wireBytes
      case .failed(_, _, let sent): up += sent?.total ?? 0
      }
    }
    guard let model = linkModel else {
      return (link.delayMS(request: first, seed: seed, byteCount: body), outcomes)
    }
    switch model.passage(at: now, request: first, upBytes: up, downBytes: down, seed: seed) {
    case .passed(_, let total): return (total, outcomes)
    case .timedOut(let after):
      let lost = outcomes.map { outcome -> RequestResult in
        switch outcome {
        case .answered(let answer):
          .failed(.timeout, message: "the link was down", sent: answer.response.sent)
        case .failed(_, _, let sent): .failed(.timeout, message: "the link was down", sent: sent)
        }
      }
      return (after, lost)
    }
  }
}
