package import ContrailLog

/// An error of the engine or its log.
package struct EngineError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  package struct Code: Hashable, Sendable, RawRepresentable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The log can't be opened, read or written. Acknowledged writes are kept.
    package static let log = Code(rawValue: "log")
    /// A complete line of the log can't be decoded by this version.
    package static let unknownLine = Code(rawValue: "unknownLine")
    /// The engine is closed.
    package static let closed = Code(rawValue: "closed")
    /// The server URL is invalid.
    package static let server = Code(rawValue: "server")
    /// A setting of the connection is invalid.
    package static let connection = Code(rawValue: "connection")
  }

  package let code: Code
  /// The error and its place, for people. Never contains a key.
  package let message: String
  /// Whether a retry can succeed.
  package let isTransient: Bool
  /// The error of the log, if it is the cause.
  package let logError: LogError?

  package init(code: Code, message: String, isTransient: Bool = false) {
    self.code = code
    self.message = message
    self.isTransient = isTransient
    logError = nil
  }

  /// Creates an error from an error of the log.
  ///
  /// - Parameter isOpening: Whether the log was being opened. A failed sync is then transient.
  package init(_ error: LogError, isOpening: Bool = false) {
    code = .log
    message = "\(error)"
    isTransient = error.isTransient || (isOpening && error.code == .syncFailed)
    logError = error
  }

  package var description: String { message }
}
