#if !canImport(AsyncHTTPClient)
  import ContrailCore
  import Foundation

  /// HTTP through URLSession.
  public final class URLSessionTransport: ClosableTransport {
    private let server: String
    private let session: URLSession

    /// - Parameter server: The server's address, such as `https://example.com`, without a slash at the end.
    public init(server: String) {
      self.server = server
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.waitsForConnectivity = false
      session = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    public func shutdown() async {
      session.invalidateAndCancel()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      guard let url = URL(string: server + request.target) else {
        throw TransportError(.network, "the address is none")
      }
      var message = URLRequest(url: url, timeoutInterval: TimeInterval(request.timeoutSeconds))
      message.httpMethod = request.method
      for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
      if !request.body.isEmpty { message.httpBody = Data(request.body) }
      do {
        let (data, response) = try await session.data(for: message)
        guard let response = response as? HTTPURLResponse else {
          throw TransportError(.network, "not an HTTP answer")
        }
        guard data.count <= Courier.maximumBodyBytes else {
          throw TransportError(.tooLarge, "the answer has more than \(Courier.maximumBodyBytes) bytes")
        }
        // URLSession unpacks bodies itself: the field that says they are packed is no longer true.
        let headers = response.allHeaderFields.compactMap { field -> (name: String, value: String)? in
          guard let name = field.key as? String, let value = field.value as? String,
            name.lowercased() != "content-encoding"
          else { return nil }
          return (name, value)
        }
        return TransportAnswer(status: response.statusCode, headers: headers, body: Array(data))
      } catch let error as TransportError {
        throw error
      } catch let error as URLError {
        switch error.code {
        case .timedOut: throw TransportError(.timeout, "no answer in \(request.timeoutSeconds) s")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
          .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
          throw TransportError(.security, "the connection could not be made safe (\(error.errorCode))")
        default: throw TransportError(.network, "URLSession error \(error.errorCode)")
        }
      } catch {
        throw TransportError(.network, "\(type(of: error))")
      }
    }
  }
#endif
