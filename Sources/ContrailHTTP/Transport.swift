/// Sends HTTP requests to one origin.
///
/// A transport is made for one server and takes only the path and query of a request, so the credentials in a request
/// never reach another host. It follows no redirect: a 3xx answer is returned as it is.
public protocol Transport: Sendable {
  /// Sends a request and returns the whole answer, its body as it came over the wire.
  ///
  /// Cancelling the task cancels the request.
  ///
  /// - Throws: ``TransportError``: no answer came, or it broke a limit of the request.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer

  /// Sends a request and returns the head of the answer as soon as it is there.
  ///
  /// The body follows block by block. The limits of the request hold for the whole answer, also after this returns.
  /// Without an implementation of its own a transport answers with one block.
  ///
  /// - Throws: ``TransportError``: no head came, or it broke a limit of the request.
  func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream
}

extension Transport {
  public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
    TransportStream(try await send(request))
  }
}

/// A transport that keeps connections open until it is closed.
public protocol ClosableTransport: Transport {
  /// Closes the connections. Requests under way and later ones fail.
  func shutdown() async
}
