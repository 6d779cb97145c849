import ContrailCore
import ContrailEngine
import ContrailField

extension Recorder.Options {
  /// Returns the time that the link takes for an exchange, and what arrives of each request.
  func passage(
    of requests: [OutgoingRequest], _ outcomes: [RequestResult], at now: Int64
  ) -> (delayMS: Int64, arrived: [RequestResult]) {
    let first = requests.first?.number ?? 0
    switch link {
    case .steady(let link):
      let bytes = requests.reduce(0) { $0 + $1.body.count } + outcomes.reduce(0) { $0 + $1.bodyCount }
      return (link.delayMS(request: first, seed: seed, byteCount: bytes), outcomes)
    case .model(let model):
      let up = outcomes.reduce(0) { $0 + ($1.sent?.total ?? 0) }
      let down = outcomes.reduce(0) { $0 + $1.wireBytes }
      switch model.passage(at: now, request: first, upBytes: up, downBytes: down, seed: seed) {
      case .passed(_, let total): return (total, outcomes)
      case .timedOut(let after):
        return (after, outcomes.map { .failed(.timeout, message: "the link was down", sent: $0.sent) })
      }
    }
  }

  /// Returns the time that the link takes for an exchange outside the engine, such as the download of a file of airports.
  func delayOutsideMS(at now: Int64) -> Int64 {
    switch link {
    case .steady(let link): link.delayMS(request: 0, seed: seed, byteCount: 0)
    case .model(let model):
      switch model.passage(at: now, request: 0, upBytes: 0, downBytes: 0, seed: seed) {
      case .passed(_, let total): total
      case .timedOut(let after): after
      }
    }
  }
}

extension RequestResult {
  fileprivate var sent: SentBytes? {
    switch self {
    case .answered(let response): response.sent
    case .failed(_, _, let sent): sent
    }
  }

  /// The size of the decompressed body.
  fileprivate var bodyCount: Int {
    switch self {
    case .answered(let response): response.body.bytes.count
    case .failed: 0
    }
  }

  fileprivate var wireBytes: Int64 {
    switch self {
    case .answered(let response): response.wireBytes
    case .failed: 0
    }
  }
}
