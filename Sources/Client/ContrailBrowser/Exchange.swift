import ContrailCore
import ContrailEngine
import ContrailWire

/// Requests that the shell in JavaScript carries to a server, and their answer as far as it has come.
struct Exchange {
  /// The requests that wait for an answer; none while a stream is idle.
  var requests: [OutgoingRequest]
  let credentials: Credentials
  /// The request as packed.
  let request: TransportRequest
  /// The time for which the server holds the requests, in seconds; nil if it answers at once.
  let holdSeconds: Int64?
  /// Whether the answer may be a stream of answers.
  let mayStream: Bool
  /// The device's time when it was sent.
  let sentAt: Int64

  /// The head of the answer, once it has come.
  var head: TransportAnswer?
  /// The body of an answer that isn't a stream.
  var body: [UInt8] = []
  /// The reader of a stream of answers.
  var stream: CompactStream?
  /// Whether a part of a stream has been taken. Later parts cost no request and have no head.
  var isContinued = false
  /// The answers of a stream that have come while no request waits.
  var parts: [CompactStream.Part] = []
  /// What the server holds again after the last answer; nil if requests wait.
  var held: HeldRequests?
  /// The time of the device at which an idle stream is closed.
  var idleUntil: Int64?
  /// Whether a stream has ended, so that only ``parts`` can follow.
  var isEnded = false
  /// The cancelled ones of ``requests``.
  var cancelled: Set<Int64> = []

  init(
    _ requests: [OutgoingRequest], _ request: TransportRequest, with credentials: Credentials, holdSeconds: Int64?,
    mayStream: Bool, at now: Int64
  ) {
    self.requests = requests
    self.request = request
    self.credentials = credentials
    self.holdSeconds = holdSeconds
    self.mayStream = mayStream
    sentAt = now
  }

  /// Whether all requests that wait are cancelled.
  var isCancelled: Bool { !requests.isEmpty && requests.allSatisfy { cancelled.contains($0.number) } }

  /// Notes the head of the answer.
  mutating func begin(_ head: TransportAnswer) {
    self.head = head
    body = []
  }

  /// Adds a block of the answer's body.
  mutating func append(_ block: [UInt8]) throws(TransportError) {
    guard !block.isEmpty else { return }
    if stream == nil, body.isEmpty, mayStream, HeldRequests.isStream(status: head?.status ?? 0, firstByte: block.first)
    {
      stream = CompactStream(limit: TransportRequest.defaultMaximumBodyBytes)
    }
    guard stream != nil else {
      guard body.count + block.count <= RequestPacker.maximumBodyBytes else {
        throw TransportError(.tooLarge, "the response has more than \(RequestPacker.maximumBodyBytes) bytes")
      }
      return body += block
    }
    stream?.append(block)
    do throws(CompactError) {
      while let part = try stream?.next() { parts.append(part) }
    } catch {
      throw TransportError(.malformed, "the stream of answers is damaged: \(error.description)")
    }
  }

  /// Lets requests wait for the next answer of the stream.
  mutating func continueStream(for requests: [OutgoingRequest]) {
    self.requests = requests
    (held, idleUntil) = (nil, nil)
    cancelled = []
  }

  /// Notes that an answer of the stream was taken, and what the server holds now.
  mutating func rest(_ held: HeldRequests, until time: Int64) {
    self.held = held
    idleUntil = time
    requests = []
    isContinued = true
  }
}
