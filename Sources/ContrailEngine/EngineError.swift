public import ContrailLog

/// What keeps the engine from going on.
public struct EngineError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The log could not be opened, read or written. What was acknowledged before stands.
    public static let log = Code(rawValue: "log")
    /// A line of the log is whole but says what no engine of this version could have written.
    public static let unknownLine = Code(rawValue: "unknownLine")
    /// The engine was closed before.
    public static let closed = Code(rawValue: "closed")
    /// The server's address is none.
    public static let server = Code(rawValue: "server")
  }

  public let code: Code
  /// What happened and where, for people. Never holds a key.
  public let message: String
  /// Whether trying again could help.
  public let isTransient: Bool
  /// The log's own error, where it is the cause.
  public let logError: LogError?

  public init(code: Code, message: String, isTransient: Bool = false) {
    self.code = code
    self.message = message
    self.isTransient = isTransient
    logError = nil
  }

  /// The log's error, as the engine's.
  ///
  /// - Parameter isOpening: A failed sync is final for a log that is being written, but not for one that is being opened.
  public init(_ error: LogError, isOpening: Bool = false) {
    code = .log
    message = "\(error)"
    isTransient = error.isTransient || (isOpening && error.code == .syncFailed)
    logError = error
  }

  public var description: String { message }
}
