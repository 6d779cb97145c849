package import ContrailLog

/// What keeps the engine from going on.
package struct EngineError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  package struct Code: Hashable, Sendable, RawRepresentable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The log could not be opened, read or written. What was acknowledged before stands.
    package static let log = Code(rawValue: "log")
    /// A line of the log is whole but says what no engine of this version could have written.
    package static let unknownLine = Code(rawValue: "unknownLine")
    /// The engine was closed before.
    package static let closed = Code(rawValue: "closed")
    /// The server's address is none.
    package static let server = Code(rawValue: "server")
  }

  package let code: Code
  /// What happened and where, for people. Never holds a key.
  package let message: String
  /// Whether trying again could help.
  package let isTransient: Bool
  /// The log's own error, where it is the cause.
  package let logError: LogError?

  package init(code: Code, message: String, isTransient: Bool = false) {
    self.code = code
    self.message = message
    self.isTransient = isTransient
    logError = nil
  }

  /// The log's error, as the engine's.
  ///
  /// - Parameter isOpening: A failed sync is final for a log that is being written, but not for one that is being opened.
  package init(_ error: LogError, isOpening: Bool = false) {
    code = .log
    message = "\(error)"
    isTransient = error.isTransient || (isOpening && error.code == .syncFailed)
    logError = error
  }

  package var description: String { message }
}
