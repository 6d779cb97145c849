public import ContrailAirportData
import ContrailWire

/// A source of airport files, such as a server, a disk or a test.
public protocol AirportTransport: Sendable {
  /// Requests the file of a cycle, from its beginning or from an offset.
  ///
  /// The method returns when the response begins. The bytes follow in ``AirportBody/blocks``.
  ///
  /// - Parameter request: The requested file and offset.
  /// - Returns: The response.
  /// - Throws: ``AirportTransportError``.
  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer
}

/// A request for a file.
public struct AirportRequest: Hashable, Sendable {
  /// The cycle.
  public var cycle: AIRACCycle
  /// The number of bytes that are already held.
  public var offset: Int64
  /// The entity tag of the held bytes. If the file has changed, the response contains the whole file.
  public var entityTag: String?
  /// The cycle in use, from which a delta is requested; nil requests the complete file.
  ///
  /// A transport without deltas can return `notAvailable`, after which the complete file is requested, or the complete
  /// file.
  public var base: AIRACCycle?

  public init(cycle: AIRACCycle, offset: Int64 = 0, entityTag: String? = nil, base: AIRACCycle? = nil) {
    self.cycle = cycle
    self.offset = offset
    self.entityTag = entityTag
    self.base = base
  }
}

/// The response of a transport.
public enum AirportAnswer: Sendable {
  /// There is no file of this cycle yet.
  case notAvailable
  /// The response contains the file.
  case body(AirportBody)
  /// The file has no bytes after the requested offset. The total size is attached if it is known.
  case nothingMore(totalBytes: Int64?)
}

/// The bytes of a file, or of the rest of a file.
public struct AirportBody: Sendable {
  /// The offset of the first byte in the file: the requested one, or 0.
  public var offset: Int64
  /// The total size of the file, if it is known.
  public var totalBytes: Int64?
  /// The entity tag of the file. Without it, an interrupted download restarts from the beginning.
  public var entityTag: String?
  /// The bytes. An error means that the connection was lost; earlier bytes are valid.
  public var blocks: AsyncThrowingStream<[UInt8], any Error>

  public init(
    offset: Int64, totalBytes: Int64?, entityTag: String?, blocks: AsyncThrowingStream<[UInt8], any Error>
  ) {
    self.offset = offset
    self.totalBytes = totalBytes
    self.entityTag = entityTag
    self.blocks = blocks
  }
}

/// An error of a transport.
public struct AirportTransportError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The server is unreachable, or the connection was lost.
    case unreachable
    /// The server refused the request with a status.
    case refused
    /// The response is invalid.
    case malformed
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of error.
  public let code: Code
  /// The HTTP status, if there was one.
  public let status: Int?
  /// The reason, as a clause without a full stop. It never contains a URL, which could include a secret.
  public let reason: String

  public init(_ code: Code, status: Int? = nil, reason: String) {
    self.code = code
    self.status = status
    self.reason = reason
  }

  /// Whether the same request can succeed later.
  public var isTransient: Bool {
    switch code {
    case .unreachable: true
    case .refused: status.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? false
    case .malformed, .cancelled: false
    }
  }
}

extension AirportTransportError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(reason)\(status.map { " (status \($0))" } ?? "")" }
}
