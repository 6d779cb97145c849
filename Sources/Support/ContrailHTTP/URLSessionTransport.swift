package import ContrailWire
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An HTTP transport that uses URLSession without cookies, caches and redirects.
package final class URLSessionTransport: ClosableTransport {
  private let origin: Origin
  /// The session, or `nil` after the shutdown, because creating a task in an invalid session stops the process.
  private let session: Lock<URLSession?>
  /// Creates a session, for the start and after a request timed out.
  private let makeSession: @Sendable () -> URLSession

  /// Creates a transport to a server.
  ///
  /// - Parameters:
  ///   - server: The server URL.
  ///   - connection: The certificates, pins and proxy.
  /// - Throws: ``ServerURLError`` if the URL or the connection is invalid, or URLSession of the platform lacks a part of it.
  package init(server: String, connection: Connection = Connection()) throws(ServerURLError) {
    let origin = try Origin(server)
    try connection.check(origin)
    self.origin = origin
    #if canImport(Security)
      let security = try URLSessionSecurity(connection, origin)
      let configuration = Self.configuration()
      if let proxy = connection.proxy { try URLSessionSecurity.set(proxy, of: configuration) }
      nonisolated(unsafe) let settings = configuration
      makeSession = { URLSession(configuration: settings, delegate: Receiver(security), delegateQueue: nil) }
    #else
      // Connections whose certificates aren't checked as asked for would be worse than none.
      if !connection.pins.isEmpty { throw ServerURLError(.unsupported("pins")) }
      if connection.clientCertificate != nil { throw ServerURLError(.unsupported("a client's certificate")) }
      if connection.trustedCertificates != nil { throw ServerURLError(.unsupported("a file of certificates")) }
      if connection.proxy != nil { throw ServerURLError(.unsupported("a proxy")) }
      makeSession = { URLSession(configuration: Self.configuration(), delegate: Receiver(), delegateQueue: nil) }
    #endif
    session = Lock(makeSession())
  }

  private static func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    #if !canImport(FoundationNetworking)
      configuration.waitsForConnectivity = false
    #endif
    return configuration
  }

  /// Makes a new session after a request timed out, so that later requests use another connection.
  private func replace(_ timedOut: URLSession) {
    let made = makeSession()
    let isCurrent = session.withLock { session in
      guard session === timedOut else { return false }
      session = made
      return true
    }
    (isCurrent ? timedOut : made).finishTasksAndInvalidate()
  }

  deinit {
    session.withLock { $0 }?.finishTasksAndInvalidate()
  }

  package func shutdown() async {
    let closed = session.withLock { $0.take() }
    guard let closed else { return }
    // On the delegate's queue, as in `Receiver.cancel`.
    await withCheckedContinuation { continuation in
      closed.delegateQueue.addOperation {
        closed.invalidateAndCancel()
        continuation.resume()
      }
    }
  }

  package var isSecure: Bool { origin.isSecure }

  package func headBytes(of request: TransportRequest) -> Int {
    request.headBytes(host: origin.host, path: origin.path)
  }

  package func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    try await open(request).collected()
  }

  package func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
    // The buffer enforces the total deadline. This timeout ends an idle connection.
    var message = URLRequest(
      url: try origin.url(of: request), timeoutInterval: TimeInterval(max(request.timeoutSeconds, 1)))
    message.httpMethod = request.method
    for (name, value) in request.headers { message.addValue(value, forHTTPHeaderField: name) }
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    let made = session.withLock { session in session.map { (session: $0, task: $0.dataTask(with: message)) } }
    guard let (session, task) = made, let receiver = session.delegate as? Receiver else {
      throw TransportError(.network, "the transport to \(origin.host) is closed")
    }
    let buffer = AnswerBuffer(request, host: origin.host)
    receiver.expect(task, buffer, host: origin.host, hasBody: request.method != "HEAD")
    // The request retains the transport and therefore its session.
    buffer.onCancel { [self] error in
      session.delegateQueue.addOperation { receiver.cancel(task) }
      if error.code == .timeout { replace(session) }
    }
    task.resume()
    return try await buffer.stream()
  }

  /// Forwards the session's events to the buffers.
  private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    private struct Listener {
      var buffer: AnswerBuffer
      var host: String
      var hasBody: Bool
    }

    /// The listeners by task identifier.
    private let listeners = Lock<[Int: Listener]>([:])

    #if canImport(Security)
      private let security: URLSessionSecurity

      init(_ security: URLSessionSecurity) {
        self.security = security
      }

      // Of the task rather than of the session: the session's challenges come here too, if there is no method for them.
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        let answer = security.answer(challenge)
        if let refusal = answer.refusal { listener(task)?.buffer.fail(refusal) }
        completionHandler(answer.disposition, answer.credential)
      }
    #endif

    func expect(_ task: URLSessionTask, _ buffer: AnswerBuffer, host: String, hasBody: Bool) {
      let listener = Listener(buffer: buffer, host: host, hasBody: hasBody)
      listeners.withLock { $0[task.taskIdentifier] = listener }
    }

    private func listener(_ task: URLSessionTask) -> Listener? {
      listeners.withLock { $0[task.taskIdentifier] }
    }

    /// Cancels a task that hasn't ended.
    ///
    /// It must be called on the delegate's queue, which also ends tasks: FoundationNetworking stops the process if a task
    /// is cancelled by another thread in the moment of its end.
    func cancel(_ task: URLSessionTask) {
      if listener(task) != nil { task.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      if let listener = listener(dataTask) {
        if let response = response as? HTTPURLResponse {
          listener.buffer.receive(
            AnswerBuffer.Head(status: response.statusCode, headers: Self.headers(of: response)),
            hasBody: listener.hasBody && response.statusCode != 304)
        } else {
          listener.buffer.fail(TransportError(.malformed, "\(listener.host) sent no valid HTTP response"))
        }
      }
      completionHandler(.allow)
    }

    /// Returns the header fields without `Content-Encoding`, because URLSession decompresses bodies itself.
    private static func headers(of response: HTTPURLResponse) -> [(name: String, value: String)] {
      response.allHeaderFields.compactMap { field in
        guard let name = field.key as? String, let value = field.value as? String,
          name.lowercased() != "content-encoding"
        else { return nil }
        return (name, value)
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let buffer = listener(dataTask)?.buffer else { return }
      #if canImport(FoundationNetworking)
        // With FoundationNetworking, a task that was suspended while receiving doesn't resume.
        _ = buffer.receive(Array(data), resume: {})
      #else
        dataTask.suspend()
        if buffer.receive(Array(data), resume: { dataTask.resume() }) { dataTask.resume() }
      #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let listener = listeners.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
      guard let error else { return listener.buffer.finish() }
      listener.buffer.fail(Self.error(error, host: listener.host))
    }

    private static func error(_ error: any Error, host: String) -> TransportError {
      // The text of the error may contain the URL.
      guard let error = error as? URLError else { return TransportError(.network, "the request to \(host) failed") }
      switch error.code {
      case .cancelled: return .cancelled(host)
      case .timedOut: return TransportError(.timeout, "\(host) sent no complete response in time")
      case .cannotConnectToHost: return .refused(host)
      case .cannotFindHost, .dnsLookupFailed:
        return TransportError(.network, "the host name of \(host) can't be resolved; check the URL and the network")
      case .networkConnectionLost: return .closed(host)
      case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
        return TransportError(.malformed, "\(host) sent no valid HTTP response")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
        .clientCertificateRequired:
        return .insecure(host)
      default: return TransportError(.network, "\(host) can't be reached: URLSession error \(error.code.rawValue)")
      }
    }
  }
}
