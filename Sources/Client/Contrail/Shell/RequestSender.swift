import ContrailCompression
package import ContrailCore
package import ContrailEngine
package import ContrailHTTP
package import ContrailWire

/// Sends a request to the server and converts the response to an input.
package struct RequestSender: Sendable {
  let transport: any Transport
  /// The transport to the weather service; nil if the server also provides the weather, with its key as the token.
  private let weatherTransport: (any Transport)?
  private var packer: RequestPacker
  /// The answers to held requests that go on.
  let streams = HeldStreams()

  package init(
    transport: any Transport, weatherTransport: (any Transport)? = nil,
    credentialField: Connection.CredentialField = .apiKey
  ) {
    self.transport = transport
    self.weatherTransport = weatherTransport
    packer = RequestPacker(isSecure: transport.isSecure, hasWeatherService: weatherTransport != nil)
    packer.keyField = credentialField.nameAndPrefix
  }

  /// Returns a sender with additional header fields.
  package func adding(_ headers: [(name: String, value: String)]) -> RequestSender {
    var sender = self
    sender.packer.extraHeaders += headers
    return sender
  }

  /// Sends a request. Never throws, because a failure is an input too.
  package func send(_ request: OutgoingRequest, with credentials: Credentials) async -> RequestResult {
    let isWeather = request.scope.weatherPlace != nil
    let transport = isWeather ? weatherTransport ?? transport : transport
    let packed = packed(request, with: credentials)
    return await send([request], packed, over: transport, with: credentials)[0]
  }

  /// Sends requests in one exchange, and returns their results in the same order. Several must be requests by handle.
  package func send(_ requests: [OutgoingRequest], with credentials: Credentials) async -> [RequestResult] {
    if let seconds = requests.compactMap(\.holdSeconds).min(), transport.isSecure, packer.extraHeaders.isEmpty,
      await streams.arrive, let packed = packed(requests, with: credentials)
    {
      return await hold(requests, packed, seconds: seconds, with: credentials)
    }
    guard requests.count > 1, let packed = packed(requests, with: credentials) else {
      var results: [RequestResult] = []
      for request in requests { results.append(await send(request, with: credentials)) }
      return results
    }
    return await send(requests, packed, over: transport, with: credentials)
  }

  private func send(
    _ requests: [OutgoingRequest], _ packed: TransportRequest, over transport: any Transport,
    with credentials: Credentials
  ) async -> [RequestResult] {
    let sent = sent(packed, over: transport)
    do throws(TransportError) {
      return results(of: try await transport.send(packed), to: requests, with: credentials, sent: sent)
    } catch {
      return RequestResult.failed(error, requests, with: credentials, sent: sent)
    }
  }

  /// Returns the request for the transport that carries several requests by handle; nil if one of them is another.
  package func packed(_ requests: [OutgoingRequest], with credentials: Credentials) -> TransportRequest? {
    guard requests.allSatisfy({ $0.area != nil }) else { return nil }
    return packer.packed(requests, with: credentials).map(Self.compressed)
  }

  /// Returns the request for the transport, with credentials and compressed body.
  package func packed(_ request: OutgoingRequest, with credentials: Credentials) -> TransportRequest {
    Self.compressed(packer.packed(request, with: credentials))
  }

  private static func compressed(_ packed: RequestPacker.Packed) -> TransportRequest {
    var packed = packed
    guard packed.isToBeCompressed else { return packed.request }
    if let body = Gzip.packed(packed.request.body, level: 9) {
      packed.request.body = body
    } else {
      packed.leaveUncompressed()
    }
    return packed.request
  }

  /// Returns the bytes of a request on the wire, without the additional header fields.
  func sent(_ request: TransportRequest, over transport: any Transport) -> SentBytes {
    packer.sent(request) { transport.headBytes(of: $0) }
  }

  /// Returns the results of requests that shared an exchange, or of a single one.
  package func results(
    of answer: TransportAnswer, to requests: [OutgoingRequest], with credentials: Credentials, sent: SentBytes? = nil
  ) -> [RequestResult] {
    ReceivedAnswer(answer).results(to: requests, with: credentials, sent: sent)
  }

  /// Returns the result of a request from the response of the transport.
  package func result(
    of answer: TransportAnswer, to request: OutgoingRequest, with credentials: Credentials, sent: SentBytes? = nil
  ) -> RequestResult {
    ReceivedAnswer(answer).result(to: request, with: credentials, sent: sent)
  }
}

extension ReceivedAnswer {
  /// Decompresses the body of an answer.
  package init(_ answer: TransportAnswer) {
    self.init(answer, coding: .plain, encodedBytes: Int64(answer.body.count))
    guard ["gzip", "x-gzip"].contains(answer.header("Content-Encoding")?.lowercased()) else { return }
    do throws(CompressionError) {
      self.answer.body = try Gzip.unpacked(answer.body, limit: RequestPacker.maximumBodyBytes)
      coding = .compressed
    } catch .oversized {
      self.answer.body = []
      coding = .tooLarge
    } catch {
      coding = .damaged
    }
  }
}

extension Connection.CredentialField {
  /// The name of the field, and the text before the key.
  fileprivate var nameAndPrefix: (name: String, prefix: String) {
    switch self {
    case .apiKey: (WireHeader.apiKey, "")
    case .bearer: ("Authorization", "Bearer ")
    case .named(let name, let prefix): (name, prefix)
    }
  }

  /// Returns the name and the value of the field that carries a key.
  package func field(carrying key: String) -> (name: String, value: String) {
    (nameAndPrefix.name, nameAndPrefix.prefix + key)
  }
}
