public import ContrailAirportData

/// Brings files of airports: over HTTP, from a disk, or from a test.
public protocol AirportTransport: Sendable {
  /// Asks for the file of a cycle, from its beginning or from a byte on.
  ///
  /// - Returns: As soon as it is known what comes, which comes later.
  /// - Throws: ``AirportTransportError``.
  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer
}

/// Which file is wanted, and from where on.
public struct AirportRequest: Hashable, Sendable {
  /// The cycle.
  public var cycle: AIRACCycle
  /// How many of the file's bytes are there already.
  public var offset: Int64
  /// The tag of the file that they are of. If the file is another one by now, the whole of it is to come.
  public var entityTag: String?

  public init(cycle: AIRACCycle, offset: Int64 = 0, entityTag: String? = nil) {
    self.cycle = cycle
    self.offset = offset
    self.entityTag = entityTag
  }
}

/// What a transport answers.
public enum AirportAnswer: Sendable {
  /// There is no file of this cycle, or not yet.
  case notAvailable
  /// The file comes.
  case body(AirportBody)
  /// The file has no byte at the offset asked for, and so many in all, if that is known.
  case nothingMore(totalBytes: Int64?)
}

/// A file, or the rest of one, as it comes.
public struct AirportBody: Sendable {
  /// At which of the file's bytes it begins: as asked for, or 0.
  public var offset: Int64
  /// How many bytes the whole file has, if that is known.
  public var totalBytes: Int64?
  /// What tells this file from others of the same name; with none a download that breaks begins anew.
  public var entityTag: String?
  /// The bytes. An error means that the connection broke; what came before it is good.
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

/// Why a file didn't come.
public struct AirportTransportError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The server can't be reached, or the connection broke.
    case unreachable
    /// The server refused, with a status.
    case refused
    /// The server's answer is none.
    case malformed
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of fault.
  public let code: Code
  /// The HTTP status, if there was one.
  public let status: Int?
  /// Why, in a clause without a full stop; never an address, which may hold a secret.
  public let reason: String

  public init(_ code: Code, status: Int? = nil, reason: String) {
    self.code = code
    self.status = status
    self.reason = reason
  }

  /// Whether the same may succeed later.
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
