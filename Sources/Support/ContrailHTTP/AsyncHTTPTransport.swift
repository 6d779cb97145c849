#if AsyncHTTPClient && os(Linux)
  import AsyncHTTPClient
  package import ContrailWire
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL

  /// An HTTP transport that uses async-http-client: HTTP/2 over TLS if the server offers it, otherwise HTTP/1.1.
  package final class AsyncHTTPTransport: ClosableTransport {
    private static let connectTimeoutSeconds: Int64 = 10
    /// How long a connection without requests is kept. A TLS handshake costs as many bytes as a dozen deltas, which follow each
    /// other within a minute or three.
    private static let idleMinutes: Int64 = 5

    private let origin: Origin
    private let client: HTTPClient
    /// The requests that go on.
    private let requests = Lock<[ObjectIdentifier: HTTPClient.Task<Void>]>([:])

    /// Creates a transport to a server.
    ///
    /// - Parameters:
    ///   - server: The server URL.
    ///   - connection: The certificates, pins and proxy.
    ///   - silenceMS: The silence in milliseconds after which a request that is given up closes its connection of HTTP/2.
    /// - Throws: ``ServerURLError`` if the URL or the connection is invalid.
    package convenience init(
      server: String, connection: Connection = Connection(), silenceMS: Int64 = 10_000
    ) throws(ServerURLError) {
      try self.init(try Origin(server), connection, silence: .milliseconds(silenceMS))
    }

    private init(_ origin: Origin, _ connection: Connection, silence: TimeAmount) throws(ServerURLError) {
      try connection.check(origin)
      let pins = try PinnedKeys(connection, origin)
      self.origin = origin
      var configuration = HTTPClient.Configuration()
      configuration.timeout.connect = .seconds(Self.connectTimeoutSeconds)
      configuration.redirectConfiguration = .disallow
      // The caller decompresses bodies and counts the bytes on the wire first.
      configuration.decompression = .disabled
      // A failed connection is reported immediately, because the caller decides about retries.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.connectionPool.idleTimeout = .minutes(Self.idleMinutes)
      // Within the turn of the handshake: the client stops the process if a connection closes before it is refused here.
      configuration.http1_1ConnectionDebugInitializer = { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.check(channel, pins)
          try HeadGuard.install(onConnection: channel)
        }
      }
      configuration.http2ConnectionDebugInitializer = { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.check(channel, pins)
          try Self.coalesceWrites(of: channel)
          try ConnectionWatch.install(on: channel, silence: silence)
        }
      }
      configuration.http2StreamChannelDebugInitializer = { channel in
        // Within the turn that creates the stream: if the connection closed before the request was written to the stream, the client
        // would stop the process.
        channel.eventLoop.makeCompletedFuture {
          try ConnectionWatch.install(onStream: channel)
          try HeadGuard.install(onStream: channel)
        }
      }
      configuration.tlsConfiguration = try Self.tls(connection)
      configuration.proxy = connection.proxy.map { proxy in
        .server(
          host: proxy.host, port: proxy.port,
          authorization: proxy.user.map { .basic(username: $0, password: proxy.password ?? "") })
      }
      client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private static func tls(_ connection: Connection) throws(ServerURLError) -> TLSConfiguration {
      var tls = TLSConfiguration.makeClientConfiguration()
      // RFC 8996 deprecates TLS 1.0 and 1.1, which NIO accepts by default.
      tls.minimumTLSVersion = .tlsv12
      if let certificates = connection.trustedCertificates {
        do {
          tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(certificates.path))]
        } catch {
          throw ServerURLError(.certificate(certificates.path))
        }
      }
      if case .pkcs12(let file, let passphrase) = connection.clientCertificate?.form {
        do {
          let bundle = try NIOSSLPKCS12Bundle(buffer: Array(file), passphrase: Array(passphrase.utf8))
          tls.certificateChain = bundle.certificateChain.map { .certificate($0) }
          tls.privateKey = .privateKey(bundle.privateKey)
        } catch {
          throw ServerURLError(.clientCertificate)
        }
      }
      return tls
    }

    /// Refuses a new connection whose certificate no pin accepts, before anything is sent on it.
    private static func check(_ channel: any NIOCore.Channel, _ pins: PinnedKeys?) throws {
      guard let pins else { return }
      let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
      guard let refusal = pins.refusal(ofCertificate: try certificate?.toDERBytes()) else { return }
      // The client doesn't close a connection that is refused here. It must have forgotten it before.
      channel.eventLoop.execute { channel.close(promise: nil) }
      throw refusal
    }

    deinit {
      Self.settled().whenComplete { [client] _ in client.shutdown { _ in } }
    }

    package func shutdown() async {
      // The client stops the process if it is shut down while a connection handles the end of a request.
      for task in requests.withLock({ Array($0.values) }) {
        task.cancel()
        try? await task.futureResult.get()
      }
      try? await Self.settled().get()
      try? await client.shutdown()
    }

    /// Waits until each event loop has done what it began before.
    private static func settled() -> EventLoopFuture<Void> {
      let loops = HTTPClient.defaultEventLoopGroup
      return .andAllComplete(loops.makeIterator().map { $0.submit {} }, on: loops.next())
    }

    /// Makes one TLS record of a request on a new connection of HTTP/2.
    private static func coalesceWrites(of channel: any NIOCore.Channel) throws {
      let pipeline = channel.pipeline.syncOperations
      let secured = try pipeline.handler(type: NIOSSLClientHandler.self)
      try pipeline.addHandler(WriteCoalescer(), position: .after(secured))
    }

    package var isSecure: Bool { origin.isSecure }

    package func headBytes(of request: TransportRequest) -> Int {
      request.headBytes(host: origin.host, path: origin.path)
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      try await open(request).collected()
    }

    package func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
      let url = try origin.url(of: request)
      let message: HTTPClient.Request
      do {
        message = try HTTPClient.Request(
          url: url, method: HTTPMethod(rawValue: request.method),
          headers: HTTPHeaders(request.headers.map { ($0.name, $0.value) }),
          body: request.body.isEmpty ? nil : .bytes(request.body))
      } catch {
        throw Self.error(error, host: origin.host)
      }
      let buffer = AnswerBuffer(request, host: origin.host)
      let receiver = Receiver(buffer: buffer, host: origin.host, hasBody: request.method != "HEAD")
      let task = client.execute(request: message, delegate: receiver)
      requests.withLock { $0[ObjectIdentifier(task)] = task }
      task.futureResult.whenComplete { [requests, host = origin.host] result in
        _ = requests.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
        if case .failure(let error) = result { buffer.fail(Self.error(error, host: host)) }
      }
      // The request retains the transport and therefore its connections.
      buffer.onCancel { [self] _ in withExtendedLifetime(self) { task.cancel() } }
      return try await buffer.stream()
    }

    /// Forwards the client's events to the buffer.
    private final class Receiver: HTTPClientResponseDelegate {
      typealias Response = Void

      private let buffer: AnswerBuffer
      private let host: String
      private let hasBody: Bool

      init(buffer: AnswerBuffer, host: String, hasBody: Bool) {
        self.buffer = buffer
        self.host = host
        self.hasBody = hasBody
      }

      func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        buffer.receive(
          AnswerBuffer.Head(status: Int(head.status.code), headers: head.headers.map { ($0.name, $0.value) }),
          hasBody: hasBody && head.status != .notModified)
        return task.eventLoop.makeSucceededVoidFuture()
      }

      func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        let caughtUp = task.eventLoop.makePromise(of: Void.self)
        if buffer.receive(Array(part.readableBytesView), resume: { caughtUp.succeed() }) { caughtUp.succeed() }
        return caughtUp.futureResult
      }

      func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        buffer.fail(AsyncHTTPTransport.error(error, host: host))
      }

      func didFinishRequest(task: HTTPClient.Task<Void>) {
        buffer.finish()
      }
    }

    // MARK: Errors

    /// Returns an error of the client or of one of its layers as an error of the transport.
    static func error(_ error: any Error, host: String) -> TransportError {
      switch error {
      case let error as TransportError where error.code == .security: error
      // Of a head that the guard refused.
      case let error as TransportError where error.code == .malformed:
        TransportError(.malformed, "\(host) sent no valid HTTP response: \(error.message)")
      case let error as HTTPClientError: self.error(error, host: host)
      case HTTPParserError.invalidEOFState: .closed(host)
      // A connection that is lost over TLS is no sign of a wrong certificate or clock.
      case NIOSSLError.uncleanShutdown: .closed(host)
      case NIOSSLError.handshakeFailed(.sslError(let causes)) where causes == [.eofDuringHandshake]: .closed(host)
      case is HTTPParserError, is NIOHTTPDecoderError:
        TransportError(.malformed, "\(host) sent no valid HTTP response")
      case let error as NIOConnectionError:
        if let cause = error.connectionErrors.first?.error {
          self.error(cause, host: host)
        } else {
          TransportError(.network, "the host name of \(host) can't be resolved; check the URL and the network")
        }
      case let error as IOError:
        switch error.errnoCode {
        case ECONNREFUSED: .refused(host)
        case ECONNRESET, EPIPE: .closed(host)
        default: TransportError(.network, "\(host) can't be reached: system error \(error.errnoCode)")
        }
      default:
        // The text of an error may contain parts of the request. The name of its type doesn't.
        if !String(reflecting: type(of: error)).hasPrefix("NIOSSL.") {
          TransportError(.network, "the request to \(host) failed: \(type(of: error))")
        } else if isRefusalOfClient(error) {
          .certificateRefused(host)
        } else {
          .insecure(host)
        }
      }
    }

    /// Whether the server ended the handshake by an alert about the client's certificate (RFC 8446, 6.2).
    private static func isRefusalOfClient(_ error: any Error) -> Bool {
      let text = "\(error)"
      return text.contains("_ALERT_")
        && ["CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED"].contains { text.contains($0) }
    }

    private static func error(_ error: HTTPClientError, host: String) -> TransportError {
      switch error {
      case .connectTimeout:
        TransportError(.timeout, "\(host) accepted no connection within \(connectTimeoutSeconds) s")
      case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
        TransportError(.timeout, "\(host) sent no complete response in time")
      case .tlsHandshakeTimeout:
        TransportError(.timeout, "\(host) completed no TLS handshake within \(connectTimeoutSeconds) s")
      case .remoteConnectionClosed: .closed(host)
      case .cancelled: .cancelled(host)
      case .alreadyShutdown: TransportError(.network, "the transport to \(host) is closed")
      case .proxyAuthenticationRequired:
        TransportError(.network, "the proxy to \(host) requires a user and a password, or refused them")
      case .invalidProxyResponse: TransportError(.network, "the proxy refused the connection to \(host)")
      default: TransportError(.network, "the request to \(host) failed: \(error.shortDescription)")
      }
    }
  }
#endif
