import ContrailHTTP
import ContrailWire
import ContrailWorld
import Foundation

/// Carries the requests of a client to a service in this process. Latency passes by the clock of the world.
struct WorldTransport: ClosableTransport {
  let service: ReferenceService
  let clock: ManualClock
  let delays: Delays

  /// The answers that come later.
  final class Delays: Sendable {
    /// The due time of a request that the service may hold.
    static let never = Int64.max
    private let waiting = Lock<(byID: [Int: (due: Int64, requests: Int)], nextID: Int)>(([:], 0))

    /// The time of the next answer, in milliseconds since 1970, after a time.
    func next(after now: Int64) -> Int64? { waiting.withLock { $0.byID.values.map(\.due).filter { $0 > now }.min() } }

    /// The number of requests that wait at a time.
    func requests(at now: Int64) -> Int {
      waiting.withLock { $0.byID.values.reduce(0) { $1.due > now ? $0 + $1.requests : $0 } }
    }

    /// The number of exchanges that the service may hold.
    var heldCount: Int { waiting.withLock { $0.byID.values.count { $0.due == Self.never } } }

    func add(due: Int64, requests: Int) -> Int {
      waiting.withLock { waiting in
        waiting.nextID += 1
        waiting.byID[waiting.nextID] = (due, requests)
        return waiting.nextID
      }
    }

    func remove(_ id: Int) { waiting.withLock { $0.byID[id] = nil } }
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    let isHeld = request.headers.contains { $0.name == HoldTerms.field }
    let hold = isHeld ? delays.add(due: Delays.never, requests: Self.requestCount(request)) : nil
    let answer = await service.answer(
      to: ServiceRequest(
        method: request.method, target: request.target, headers: HeaderFields(request.headers), canBeHeld: true,
        body: request.body))
    if let hold { delays.remove(hold) }
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    let sent = clock.now
    let timeout = Int64(request.timeoutSeconds) * 1000
    let delay = Int64(answer.delayMilliseconds)
    try await wait(until: sent + min(delay, timeout), for: request)
    guard delay < timeout else { throw TransportError(.timeout, "the world didn't answer in time") }
    guard answer.ending == .whole else { throw TransportError(.network, "the world closed the connection") }
    guard answer.body.count <= request.maximumBodyBytes else {
      throw TransportError(.tooLarge, "the answer of the world has \(answer.body.count) bytes")
    }
    var headers = answer.headers.all
    if answer.status != 304 { headers.append(("Content-Length", "\(answer.body.count)")) }
    return TransportAnswer(status: answer.status, headers: headers, body: answer.body)
  }

  private func wait(until due: Int64, for request: TransportRequest) async throws(TransportError) {
    guard due > clock.now else { return }
    let id = delays.add(due: due, requests: Self.requestCount(request))
    defer { delays.remove(id) }
    do {
      try await clock.sleep(until: due)
    } catch {
      throw TransportError(.cancelled, "the request was cancelled")
    }
  }

  /// The number of requests of an exchange. Their handles are joined by tildes.
  private static func requestCount(_ request: TransportRequest) -> Int {
    let isShared = request.target.hasPrefix(AreaRequest.prefix)
    return isShared ? request.target.prefix { $0 != "?" }.count { $0 == "~" } + 1 : 1
  }

  func shutdown() async {}
}
