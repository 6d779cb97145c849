import ContrailEngine
import ContrailHTTP
import ContrailWire
import Foundation

extension Connection {
  /// Calls the application's provider. Of its errors, only the type is told, because their texts may contain a key.
  func credential(_ need: CredentialNeed) async -> CredentialAnswer {
    guard let credentials else { return .failed("there is none") }
    let reason: CredentialReason =
      switch need {
      case .missing: .missing
      case .expiring: .expiring
      case .refused: .refused
      }
    do {
      let credential = try await credentials(reason)
      let milliseconds = credential.expiresAt.map { $0.timeIntervalSince1970 * 1000 }
      return .provided(
        ProvidedCredential(credential.secret, expiresAtMS: milliseconds.flatMap { Int64(exactly: $0.rounded()) }))
    } catch {
      return .failed("\(type(of: error))")
    }
  }
}

/// A transport that tells when the server refuses the key, for requests that the driver doesn't send.
struct KeyWatch: Transport {
  private let transport: any Transport
  private let key: Lock<String?>
  private let refused: @Sendable (String) -> Void

  /// - Parameters:
  ///   - key: The key that requests carry.
  ///   - refused: Called with the key of a request that was refused.
  init(_ transport: any Transport, _ key: Lock<String?>, refused: @escaping @Sendable (String) -> Void) {
    self.transport = transport
    self.key = key
    self.refused = refused
  }

  var isSecure: Bool { transport.isSecure }

  func headBytes(of request: TransportRequest) -> Int { transport.headBytes(of: request) }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    try await open(request).collected()
  }

  func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
    let key = key.withLock { $0 }
    let stream = try await transport.open(request)
    if stream.status == 401, let key { refused(key) }
    return stream
  }
}
