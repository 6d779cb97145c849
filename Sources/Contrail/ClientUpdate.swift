public import ContrailCore

/// What a client tells of itself.
public enum ClientUpdate: Sendable {
  /// The log is open: what the last launch left is there.
  case opened
  /// The records of a scope are new: what the disk held, or what an answer brought.
  case data(ScopeID)
  /// Data could not be fetched, or a part of the query was no area.
  case failed(ClientError)
}

/// What went wrong, in a form that an application can show.
public struct ClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The server could not be reached, or broke off.
    public static let network = Code(rawValue: "network")
    /// No answer in time.
    public static let timeout = Code(rawValue: "timeout")
    /// The connection could not be made safe.
    public static let security = Code(rawValue: "security")
    /// The answer was larger than is allowed.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The key is missing or not taken.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The server refuses the request as it stands.
    public static let badRequest = Code(rawValue: "badRequest")
    /// The same data were about to be fetched in full over and over.
    public static let refetchLoop = Code(rawValue: "refetchLoop")
    /// The server's data don't match its own checksum.
    public static let serverInconsistent = Code(rawValue: "serverInconsistent")
    /// The server refuses a report that was handed in.
    public static let reportRefused = Code(rawValue: "reportRefused")
    /// The weather service says that it won't answer.
    public static let weatherRefused = Code(rawValue: "weatherRefused")
    /// A part of the data query is no area or no range.
    public static let invalidQuery = Code(rawValue: "invalidQuery")
    /// The log could not be opened or written.
    public static let disk = Code(rawValue: "disk")
  }

  public let code: Code
  /// The scope that it is about; nil where it is about all.
  public let scope: ScopeID?
  /// What happened, where, and what to do.
  public let message: String
  /// Whether it may pass by itself.
  public let isTransient: Bool

  public var description: String { message }

  init(_ failure: TransportFailure, scope: ScopeID?, message: String) {
    code = Code(rawValue: failure.rawValue)
    self.scope = scope
    self.message = message
    isTransient = failure != .security
  }

  init(_ rejected: Decision.QueryRejected) {
    code = .invalidQuery
    scope = rejected.scope
    message = "\(rejected.place): \(rejected.reason). The \(rejected.scope.name) stays as it was."
    isTransient = false
  }

  init(_ reported: Decision.ErrorReported) {
    code = Code(rawValue: reported.code.rawValue)
    scope = reported.scope
    message =
      switch reported.code {
      case .unauthorized: "The server doesn't take the key. Set another one, or ask again with fetchData(refresh:)."
      case .badRequest: "The server refuses the request for the \(reported.scope.name). Change the data query."
      case .refetchLoop: "The server has no deltas for the \(reported.scope.name). Everything is fetched, but rarely."
      case .reportRefused: "The server refuses a report of this aircraft's; it is given up."
      case .weatherRefused:
        "The weather service won't answer for \(reported.scope.name). Check its token, and what that is entitled to."
      case .serverInconsistent: "The server's data of the \(reported.scope.name) don't match their own checksum."
      }
    isTransient = reported.code != .unauthorized && reported.code != .badRequest
  }

  init(_ error: EngineError) {
    code = error.code == .log ? .disk : Code(rawValue: error.code.rawValue)
    scope = nil
    message = error.message
    isTransient = error.isTransient
  }
}
