package import ContrailWire

/// A response head with a stream of the body.
package struct TransportStream: Sendable {
  /// The HTTP status, from 100 to 599.
  package var status: Int
  /// The header fields in the received order.
  package var headers: [(name: String, value: String)]
  /// The body in blocks. Releasing it cancels the request.
  package var body: TransportBody

  init(_ head: AnswerBuffer.Head, _ buffer: AnswerBuffer) {
    status = head.status
    headers = head.headers
    body = TransportBody(buffer)
  }

  /// Creates a stream of a complete response.
  package init(_ answer: TransportAnswer) {
    let buffer = AnswerBuffer(answer.body)
    self.init(AnswerBuffer.Head(status: answer.status, headers: answer.headers), buffer)
  }

  /// Returns the value of the first header field with a name, ignoring case.
  package func header(_ name: String) -> String? { headers.value(name) }

  /// Returns the complete response after its last byte has arrived.
  ///
  /// - Throws: ``TransportError`` if the connection is lost or the response exceeds a limit of the request.
  package func collected() async throws(TransportError) -> TransportAnswer {
    var bytes: [UInt8] = []
    while let block = try await body.next() {
      if bytes.isEmpty { bytes = block } else { bytes += block }
    }
    return TransportAnswer(status: status, headers: headers, body: bytes)
  }
}

/// The body of a response, for one reader.
///
/// The transport reads about 256 KiB ahead and then waits for the reader.
package final class TransportBody: @unchecked Sendable {
  private let buffer: AnswerBuffer
  /// Called when the body is released. Set once, before the body is passed on.
  private var release: (@Sendable () -> Void)?

  init(_ buffer: AnswerBuffer) {
    self.buffer = buffer
  }

  deinit {
    buffer.abandon()
    release?()
  }

  /// Sets the closure that is called when the body is released. To be called before the body is passed on.
  func onRelease(_ release: @escaping @Sendable () -> Void) { self.release = release }

  /// Ends the body with an error, unless it is complete.
  func fail(_ error: TransportError) { buffer.fail(error) }

  /// Returns the next block, or `nil` at the end of the body.
  ///
  /// Cancelling the task cancels the request.
  ///
  /// - Throws: ``TransportError``, after the blocks received before the error.
  package func next() async throws(TransportError) -> [UInt8]? {
    try await buffer.nextBlock()
  }
}
