package import ContrailWire

/// A client that sends HTTP requests to one origin.
///
/// A transport is created for one server and uses only the path and query of a request, so the credentials in a request
/// never reach another host. It doesn't follow redirects: a 3xx response is returned as it is.
package protocol Transport: Sendable {
  /// Sends a request and returns the complete response. The body is as received.
  ///
  /// Cancelling the task cancels the request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The response.
  /// - Throws: ``TransportError`` if there is no response or it exceeds a limit of the request.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer

  /// Sends a request and returns the response head when it arrives.
  ///
  /// The body follows in blocks. The limits of the request also apply to the body after this method returns. The
  /// default implementation returns the complete body as one block.
  ///
  /// - Parameter request: The request.
  /// - Returns: The response head with a stream of the body.
  /// - Throws: ``TransportError`` if there is no response head or it exceeds a limit of the request.
  func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream

  /// Returns the size of a request's head in bytes as written in HTTP/1.1; the default implementation, without the host.
  func headBytes(of request: TransportRequest) -> Int

  /// Whether requests go over TLS, so that only the server reads and answers them; false by default.
  var isSecure: Bool { get }
}

extension Transport {
  package var isSecure: Bool { false }

  package func headBytes(of request: TransportRequest) -> Int { request.headBytes(host: "", path: "") }

  package func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
    TransportStream(try await send(request))
  }
}

/// A transport that keeps connections open until it is closed.
package protocol ClosableTransport: Transport {
  /// Closes the connections. Current and later requests fail.
  func shutdown() async
}
