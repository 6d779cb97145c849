#if canImport(AsyncHTTPClient)
  import AsyncHTTPClient
  import ContrailCore
  import NIOCore
  import NIOHTTP1

  /// HTTP through async-http-client, where URLSession isn't at its best.
  public final class AsyncHTTPTransport: ClosableTransport {
    private let server: String
    private let client: HTTPClient

    /// - Parameter server: The server's address, such as `https://example.com`, without a slash at the end.
    public init(server: String) {
      self.server = server
      var configuration = HTTPClient.Configuration()
      configuration.timeout.connect = .seconds(10)
      configuration.redirectConfiguration = .disallow
      // Bodies are unpacked by us: the bytes on the wire are counted before.
      configuration.decompression = .disabled
      client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes the connections. Requests after it fail.
    public func shutdown() async {
      try? await client.shutdown()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      var message = HTTPClientRequest(url: server + request.target)
      message.method = .RAW(value: request.method)
      for (name, value) in request.headers { message.headers.add(name: name, value: value) }
      if !request.body.isEmpty { message.body = .bytes(ByteBuffer(bytes: request.body)) }
      do {
        let answer = try await client.execute(message, timeout: .seconds(Int64(request.timeoutSeconds)))
        let body = try await answer.body.collect(upTo: Courier.maximumBodyBytes)
        return TransportAnswer(
          status: Int(answer.status.code), headers: answer.headers.map { ($0.name, $0.value) },
          body: Array(body.readableBytesView))
      } catch let error as HTTPClientError {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
          throw TransportError(.timeout, error.shortDescription)
        case .tlsHandshakeTimeout: throw TransportError(.security, error.shortDescription)
        default: throw TransportError(.network, error.shortDescription)
        }
      } catch is NIOTooManyBytesError {
        throw TransportError(.tooLarge, "the answer has more than \(Courier.maximumBodyBytes) bytes")
      } catch {
        let name = String(describing: type(of: error))
        throw TransportError(name.contains("SSL") ? .security : .network, name)
      }
    }
  }
#endif
