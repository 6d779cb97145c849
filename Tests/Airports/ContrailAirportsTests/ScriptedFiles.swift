import ContrailAirportData
import ContrailAirports
import ContrailHTTP

/// A source of files that gives one prepared answer after the other. After the last one, it is unreachable.
final class ScriptedFiles: AirportTransport {
  typealias Step = @Sendable () throws(AirportTransportError) -> AirportAnswer

  private struct State {
    var steps: [Step]
    var requests: [AirportRequest] = []
  }

  private let state: Lock<State>

  init(_ steps: [Step]) {
    state = Lock(State(steps: steps))
  }

  var requests: [AirportRequest] { state.withLock { $0.requests } }

  /// The offset and the tag of each request.
  var asked: [String] { requests.map { "\($0.offset) \($0.entityTag ?? "-")" } }

  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    let step = state.withLock { state -> Step? in
      state.requests.append(request)
      return state.steps.isEmpty ? nil : state.steps.removeFirst()
    }
    guard let step else { throw AirportTransportError(.unreachable, reason: "there are no more answers") }
    return try step()
  }

  /// Part of a file, after which the body ends, or fails with an error.
  static func part(
    _ bytes: some Sequence<UInt8>, at offset: Int64 = 0, of total: Int?, tag: String?, then error: (any Error)? = nil
  ) -> Step {
    let bytes = Array(bytes)
    return {
      let blocks = AsyncThrowingStream<[UInt8], any Error> { continuation in
        continuation.yield(bytes)
        continuation.finish(throwing: error)
      }
      return .body(AirportBody(offset: offset, totalBytes: total.map(Int64.init), entityTag: tag, blocks: blocks))
    }
  }

  static func nothingMore(_ total: Int64?) -> Step { { .nothingMore(totalBytes: total) } }

  /// A body that cancels the task that reads it, and ends.
  static let cancelledBody: Step = {
    let blocks = AsyncThrowingStream<[UInt8], any Error> {
      cancelTask()
      return nil
    }
    return .body(AirportBody(offset: 0, totalBytes: nil, entityTag: nil, blocks: blocks))
  }

  static func failure(_ code: AirportTransportError.Code, cancelsTask: Bool = false) -> Step {
    { () throws(AirportTransportError) in
      if cancelsTask { cancelTask() }
      throw AirportTransportError(code, reason: "on purpose")
    }
  }

  private static func cancelTask() { withUnsafeCurrentTask { $0?.cancel() } }
}
