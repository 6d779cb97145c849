/// The head of an answer, with the body that follows.
public struct TransportStream: Sendable {
  /// The HTTP status, 100 to 599.
  public var status: Int
  /// The header fields, in the order in which they came.
  public var headers: [(name: String, value: String)]
  /// The body, block by block. Releasing it cancels the request.
  public var body: TransportBody

  init(_ head: AnswerBuffer.Head, _ buffer: AnswerBuffer) {
    status = head.status
    headers = head.headers
    body = TransportBody(buffer)
  }

  /// Makes a stream of an answer that is there already.
  public init(_ answer: TransportAnswer) {
    let buffer = AnswerBuffer(answer.body)
    self.init(AnswerBuffer.Head(status: answer.status, headers: answer.headers), buffer)
  }

  /// Returns the value of the first field with a name, compared without case.
  public func header(_ name: String) -> String? { headers.value(name) }

  /// Returns the whole answer once the last byte has come.
  ///
  /// - Throws: ``TransportError``: the connection broke, or the answer broke a limit of the request.
  public func collected() async throws(TransportError) -> TransportAnswer {
    var bytes: [UInt8] = []
    while let block = try await body.next() {
      if bytes.isEmpty { bytes = block } else { bytes += block }
    }
    return TransportAnswer(status: status, headers: headers, body: bytes)
  }
}

/// The body of an answer as it comes. Meant for one reader.
///
/// The transport reads ahead by some 256 KiB and then waits for the reader.
public final class TransportBody: Sendable {
  private let buffer: AnswerBuffer

  init(_ buffer: AnswerBuffer) {
    self.buffer = buffer
  }

  deinit {
    buffer.abandon()
  }

  /// Returns the next block, or nil at the end of the body.
  ///
  /// Cancelling the task cancels the request.
  ///
  /// - Throws: ``TransportError``, after the blocks that came before it.
  public func next() async throws(TransportError) -> [UInt8]? {
    try await buffer.nextBlock()
  }
}
