public import ContrailCore

/// Carries HTTP. The one door through which the engine's requests leave.
public protocol Transport: Sendable {
  /// Sends a request and returns the answer as it came over the wire, its body still compressed.
  ///
  /// - Throws: ``TransportError``; cancelling the task gives up the request.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer
}

/// A request for a ``Transport``.
public struct TransportRequest: Sendable {
  public var method: String
  /// Path and query, from the slash on.
  public var target: String
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// How long the whole may take, in seconds.
  public var timeoutSeconds: Int

  public init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8], timeoutSeconds: Int
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
  }
}

/// The answer to a ``TransportRequest``.
public struct TransportAnswer: Sendable {
  /// The HTTP status.
  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first field of a name, in any case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Bytes of the head and the body, as HTTP/1.1 spells them.
  public var wireBytes: Int64 {
    let head = headers.reduce(17) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    return Int64(head + body.count)
  }
}

/// Why no answer came.
public struct TransportError: Error, Sendable {
  /// The failure as the log names it.
  public var failure: TransportFailure
  /// What happened, for people; holds no address with credentials.
  public var message: String

  public init(_ failure: TransportFailure, _ message: String) {
    self.failure = failure
    self.message = message
  }
}
