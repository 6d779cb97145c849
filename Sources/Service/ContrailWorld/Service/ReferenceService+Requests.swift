import ContrailCompression
import ContrailLog
import ContrailWire

// What a request says: its time, its faults, its key and its body.

extension ReferenceService {
  /// Returns the time of a request in milliseconds since 1970.
  func time(of request: ServiceRequest) throws(ServiceError) -> Int64 {
    guard isSimulated(request), let text = request.headers[WireHeader.simulatedTime] else {
      return configuration.clock()
    }
    guard let time = Int64(text), (0...Int64(UInt32.max) * 1000).contains(time) else {
      throw ServiceError(
        status: 400, code: "SIMULATED_TIME_INVALID",
        message: "\(WireHeader.simulatedTime) is a time in milliseconds since 1970")
    }
    return time
  }

  /// Whether a request says its time.
  func isSimulated(_ request: ServiceRequest) -> Bool {
    configuration.allowsSimulatedTime && request.headers[WireHeader.simulatedTime] != nil
  }

  func requestedFaults(_ request: ServiceRequest) throws(ServiceError) -> [Fault] {
    guard configuration.allowsRequestedFaults, let text = request.headers[WireHeader.fault] else { return [] }
    do throws(InputError) {
      return try Fault.list(text)
    } catch {
      throw ServiceError(status: 400, code: "FAULT_UNKNOWN", message: error.description)
    }
  }

  func checkKey(_ request: ServiceRequest) async throws(ServiceError) {
    guard !configuration.keys.isEmpty || configuration.keyRing != nil else { return }
    guard let key = request.credential else {
      throw ServiceError(status: 401, code: "KEY_MISSING", message: "send your key in \(WireHeader.apiKey)")
    }
    if case .token(let refusal) = await configuration.keyRing?.refusal(of: key, now: configuration.clock()) {
      throw ServiceError(status: 401, code: refusal.code, message: refusal.message)
    }
    guard await isKnown(key: key) else {
      throw ServiceError(status: 401, code: "KEY_UNKNOWN", message: "this key is not known: send a valid one")
    }
  }

  /// Returns the name under which the uploads of a request are stored: that of its key, or a digest of the key.
  func owner(of request: ServiceRequest) async -> String {
    guard let key = request.credential else { return "" }
    if let name = await configuration.keyRing?.name(of: key, now: configuration.clock()) { return name }
    return "key-" + KeyRing.hash(key).prefix(16)
  }

  static let tooManyRequests = ServiceError(
    status: 429, code: "TOO_MANY_REQUESTS",
    message: "too many requests of this key or address: wait as Retry-After says")

  /// Returns the seconds after which an accepted key may send the next request; nil if it may send this one.
  ///
  /// Rates are of real time, also where requests set theirs.
  func secondsToWait(_ key: String) async -> Int? {
    guard let ring = configuration.keyRing else {
      return await rates.wait(for: "key " + key, now: configuration.clock())
    }
    guard case .wait(let seconds) = await ring.admit(key, now: configuration.clock()) else { return nil }
    return seconds
  }

  /// Counts a use of a request's key.
  ///
  /// - Returns: The seconds after which the key may do so again; nil if it may now.
  func secondsToWait(_ allowance: KeyRing.Allowance, _ request: ServiceRequest) async -> Int? {
    guard let ring = configuration.keyRing, let key = request.credential else { return nil }
    return await ring.use(allowance, by: key, now: configuration.clock())
  }

  /// Whether the address of a request matters.
  package var limitsAddresses: Bool { !configuration.keys.isEmpty || configuration.keyRing != nil }

  /// Returns the seconds after which an address may send the next request without a valid key; nil if it may send this one, or the
  /// request has a valid key.
  func secondsToWait(_ request: ServiceRequest) async -> Int? {
    guard limitsAddresses, !request.address.isEmpty else { return nil }
    let key = request.credential ?? WeatherQuestion.token(inPath: request.path)
    if let key, await isKnown(key: key) { return nil }
    return await rates.wait(for: "address " + request.address, now: configuration.clock())
  }

  /// Returns whether a key is valid. Every key is valid if none is configured.
  func isKnown(key: String) async -> Bool {
    if let ring = configuration.keyRing { return await ring.name(of: key, now: configuration.clock()) != nil }
    return configuration.keys.isEmpty || configuration.keys.reduce(false) { Self.areEqual($1, key) || $0 }
  }

  /// Compares two keys in constant time.
  private static func areEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns the whole decompressed body.
  func body(of request: ServiceRequest) async throws(ServiceError) -> [UInt8] {
    let limit = configuration.maximumBodyBytes
    let tooLarge = ServiceError(
      status: 413, code: "BODY_TOO_LARGE", message: "a body may have at most \(limit) bytes, unpacked")
    if let length = request.headers["Content-Length"].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let bytes: [UInt8]
    do throws(ServiceRequest.BodyError) {
      bytes = try await request.body(limit)
    } catch {
      switch error {
      case .tooLarge: throw tooLarge
      case .incomplete:
        throw ServiceError(status: 408, code: "BODY_INCOMPLETE", message: "the body did not come in time")
      }
    }
    switch request.headers["Content-Encoding"]?.lowercased() {
    case nil, "identity": return bytes
    case "gzip", "x-gzip":
      do throws(CompressionError) {
        return try Gzip.unpacked(bytes, limit: limit)
      } catch {
        if case .oversized = error { throw tooLarge }
        throw ServiceError(status: 400, code: "GZIP_DAMAGED", message: "the body is no intact gzip")
      }
    case let other?:
      throw ServiceError(
        status: 415, code: "CONTENT_ENCODING_UNKNOWN", message: "'\(other)' is not understood: send gzip or nothing")
    }
  }
}
