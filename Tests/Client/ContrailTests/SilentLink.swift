import ContrailHTTP
import ContrailWire

/// What happened, one after the other.
final class Events: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let all = Lock<[String]>([])

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  var list: [String] { all.withLock { $0 } }

  func add(_ event: String) {
    all.withLock { $0.append(event) }
    continuation.yield(event)
  }

  /// Waits until something has happened.
  func wait(for event: String) async { for await next in stream where next == event { return } }

  /// Waits until the task is cancelled.
  func untilCancelled(_ event: String) async {
    let (never, end) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    end.finish()
    add(event)
  }
}

/// A link on which no answer comes.
struct SilentLink: ClosableTransport {
  let events: Events

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    events.add("request")
    await events.untilCancelled("request cancelled")
    throw TransportError(.cancelled, "cancelled")
  }

  func shutdown() async { events.add("closed") }
}
