package import ContrailCore
package import ContrailWire

/// Makes the driver's requests into those of a transport. A value: it sends nothing.
package struct RequestPacker: Sendable {
  /// Whether the requests go over TLS.
  package var isSecure: Bool
  /// Whether a service of its own provides the weather, with its own token. Otherwise the server does, with its key as the token.
  package var hasWeatherService: Bool
  /// Whether the owner of the transport can compress bodies.
  package var packsBodies: Bool
  /// The header field that carries the key: its name, and the text before the key.
  package var keyField: (name: String, prefix: String) = (WireHeader.apiKey, "")
  /// Additional header fields of each request, such as the simulated time.
  package var extraHeaders: [(name: String, value: String)] = []

  /// The maximum size of a decompressed answer, in bytes.
  package static let maximumBodyBytes = 64 << 20
  /// The time limit of a request, in seconds.
  package static let timeoutSeconds = 30
  /// The time limit of the client for a held request after the end of the hold, in seconds. The rules give it up before.
  package static let holdGraceSeconds = 2 * Int(Listening.graceMS / 1000)

  package init(isSecure: Bool, hasWeatherService: Bool = false, packsBodies: Bool = true) {
    self.isSecure = isSecure
    self.hasWeatherService = hasWeatherService
    self.packsBodies = packsBodies
  }

  /// A request for a transport.
  package struct Packed: Sendable {
    package var request: TransportRequest
    /// Whether the body must still be compressed with gzip, as the header fields say.
    package var isToBeCompressed: Bool
    /// Whether it goes to the weather service.
    package var isForWeatherService: Bool

    /// Notes that the body couldn't be compressed.
    package mutating func leaveUncompressed() {
      request.headers.removeAll { $0.name == "Content-Encoding" }
      isToBeCompressed = false
    }
  }

  /// Returns the request for the transport that carries a single request of any kind.
  package func packed(_ request: OutgoingRequest, with credentials: Credentials) -> Packed {
    packed(request, in: [request], with: credentials)
  }

  /// Returns the request for the transport that carries several requests by handle, or a single one of any kind; nil if they can't share
  /// one.
  package func packed(_ requests: [OutgoingRequest], with credentials: Credentials) -> Packed? {
    guard let first = requests.first, requests.count == 1 || requests.allSatisfy({ $0.area != nil }) else {
      return nil
    }
    return packed(first, in: requests, with: credentials)
  }

  private func packed(
    _ request: OutgoingRequest, in requests: [OutgoingRequest], with credentials: Credentials
  ) -> Packed {
    let hold = requests.compactMap { $0.holdSeconds }.min()
    var (target, fields) = OutgoingRequest.head(of: requests, isSecure: isSecure)
    let isWeather = request.scope.weatherPlace != nil
    if isWeather {
      target = Self.target(target, token: hasWeatherService ? credentials.weatherToken : credentials.apiKey)
    } else if let key = credentials.apiKey {
      fields.append((keyField.name, keyField.prefix + key))
    }
    var packed = Packed(
      request: TransportRequest(
        method: request.method.rawValue, target: target, headers: extraHeaders + fields, body: request.body,
        timeoutSeconds: hold.map { Int($0) + Self.holdGraceSeconds } ?? Self.timeoutSeconds),
      isToBeCompressed: request.packsBody, isForWeatherService: isWeather && hasWeatherService)
    if !packsBodies { packed.leaveUncompressed() }
    return packed
  }

  /// Returns the path for the weather service with the token inserted. A missing token becomes `-`, so that no part is empty.
  private static func target(_ target: String, token: String?) -> String {
    let token = token.flatMap { $0.isEmpty ? nil : $0 } ?? "-"
    let (bytes, mark) = (Array(target.utf8), Array(WeatherSpec.tokenMark.utf8))
    guard let start = SecretFilter.first(mark, in: bytes, from: 0) else { return target }
    return String(decoding: bytes[..<start], as: UTF8.self) + WeatherSpec.encoded(token)
      + String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
  }

  /// Returns the bytes of a request on the wire, without the additional header fields.
  ///
  /// - Parameters:
  ///   - request: The request, with the body as sent.
  ///   - headBytes: The function that counts the bytes of its head.
  package func sent(_ request: TransportRequest, headBytes: (TransportRequest) -> Int) -> SentBytes {
    var request = request
    request.headers.removeFirst(extraHeaders.count)
    let head = headBytes(request)
    return SentBytes(total: Int64(head + request.body.count), head: Int64(head))
  }
}
