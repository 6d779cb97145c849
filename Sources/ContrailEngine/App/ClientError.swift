public import ContrailCore
import ContrailLog
package import ContrailQuery
import ContrailStore
import ContrailWire

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
    /// The server has failed: a status of 500 or above.
    public static let server = Code(rawValue: "server")
    /// The server asks for fewer requests.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// What answered isn't the service: a portal's page, a redirect.
    public static let notTheService = Code(rawValue: "notTheService")
    /// The service's answer can't be read.
    public static let malformedAnswer = Code(rawValue: "malformedAnswer")
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
    /// What was handed in is no report.
    public static let invalidReport = Code(rawValue: "invalidReport")
    /// A part of the data query is no area or no range.
    public static let invalidQuery = Code(rawValue: "invalidQuery")
    /// The log could not be opened or written.
    public static let disk = Code(rawValue: "disk")
    /// Another process has the directory.
    public static let inUse = Code(rawValue: "inUse")
    /// The database beside the log could not be opened or written; everything else goes on without it.
    public static let store = Code(rawValue: "store")
    /// The client was stopped.
    public static let stopped = Code(rawValue: "stopped")
  }

  public let code: Code
  /// The scope that it is about; nil where it is about all.
  public let scope: ScopeID?
  /// The host that was asked; nil where none was.
  public let host: String?
  /// What happened and where.
  public let message: String
  /// What can be done about it, in a sentence for whoever uses the application.
  public let advice: String
  /// Whether it may pass by itself.
  public let isTransient: Bool

  public var description: String { "\(message). \(advice)" }

  package init(
    _ code: Code, scope: ScopeID? = nil, host: String? = nil, message: String, advice: String, isTransient: Bool
  ) {
    self.code = code
    self.scope = scope
    self.host = host
    self.message = message
    self.advice = advice
    self.isTransient = isTransient
  }

  init(_ failure: TransportFailure, scope: ScopeID?, host: String?, message: String) {
    let advice =
      switch failure {
      case .network: "It is tried again by itself when the link is back."
      case .timeout: "It is tried again by itself, a little later each time."
      case .security: "Check the device's date and the network that it is in."
      case .tooLarge: "Ask for a smaller area, fewer types or less history."
      }
    self.init(
      Code(rawValue: failure.rawValue), scope: scope, host: host, message: message, advice: advice,
      isTransient: failure != .security)
  }

  /// An answer after which the scope's next attempt waits.
  init(failed answer: Answer, scope: ScopeID, host: String?) {
    let status = answer.response.status
    let (code, what, advice): (Code, String, String) =
      switch status {
      case 429: (.rateLimited, "asks for fewer requests (429)", "It is tried again later by itself.")
      case 408, 410, 425, 500...:
        (.server, "has failed (\(status))", "It is tried again by itself, a little later each time.")
      case 200 where Self.isJSONObject(answer.body):
        (
          .malformedAnswer, "gives an answer that can't be read",
          "It is tried again by itself, a little later each time."
        )
      case 200...299:
        (
          .notTheService, "gives an answer that isn't the service's (\(status))",
          "Sign in to the network that the device is in."
        )
      case 300...399:
        (
          .notTheService, "sends elsewhere (\(status))",
          "Sign in to the network that the device is in, or mend the server's URL."
        )
      default: (.server, "answers \(status)", "It is tried again by itself, a little later each time.")
      }
    self.init(
      code, scope: scope, host: host, message: "\(host ?? "The server") \(what)", advice: advice, isTransient: true)
  }

  private static func isJSONObject(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
  }

  init(_ rejected: Decision.QueryRejected) {
    self.init(
      .invalidQuery, scope: rejected.scope, message: "\(rejected.place): \(rejected.reason)",
      advice: "\(rejected.advice) The \(rejected.scope.name) stays as it was.", isTransient: false)
  }

  init(_ reported: Decision.ErrorReported, host: String?) {
    let (message, advice) =
      switch reported.code {
      case .unauthorized:
        ("The server doesn't take the key", "Set another one, or ask again with fetchData(refresh:).")
      case .badRequest:
        ("The server refuses the request for the \(reported.scope.name)", "Change the data query.")
      case .refetchLoop:
        ("The server has no deltas for the \(reported.scope.name)", "Everything is fetched, but rarely.")
      case .reportRefused:
        ("The server refuses a report of this aircraft's", "It is given up; the log keeps it.")
      case .weatherRefused:
        (
          "The weather service won't answer for \(reported.scope.name)",
          "Check its token, and what that is entitled to. It is asked again, but rarely."
        )
      case .serverInconsistent:
        (
          "The server's data of the \(reported.scope.name) don't match their own checksum",
          "They are shown all the same."
        )
      }
    self.init(
      Code(rawValue: reported.code.rawValue), scope: reported.scope, host: host, message: message, advice: advice,
      isTransient: [.refetchLoop, .serverInconsistent, .weatherRefused].contains(reported.code))
  }

  package init(_ error: EngineError) {
    let isInUse = error.logError?.code == .locked
    let code: Code = isInUse ? .inUse : error.code == .log ? .disk : Code(rawValue: error.code.rawValue)
    let advice =
      switch error.code {
      case .log where isInUse: "Close the other process, or give this one a directory of its own."
      case .log: "Check that the disk has room and that the directory can be written; what was acknowledged is kept."
      case .unknownLine: "Open the directory with the version that wrote it, or a newer one."
      case .server: "Give an address such as https://example.com."
      case .closed: "Make a new client."
      default: "Report it with its code."
      }
    self.init(code, message: error.message, advice: advice, isTransient: error.isTransient)
  }

  init(_ error: StoreError) {
    self.init(
      .store, message: "\(error.file): \(error.reason)",
      advice: "Data are kept in the log and shown all the same. \(error.advice)", isTransient: error.isTransient)
  }

  package init(_ fault: QueryError) {
    self.init(
      .invalidQuery, message: fault.description, advice: "Nothing was asked; give another value.", isTransient: false)
  }

  package init(_ fault: ReportError) {
    self.init(
      .invalidReport, scope: .outbox, message: fault.description, advice: "Nothing was kept of it.", isTransient: false)
  }

  /// Whether it tells that the log can't be opened.
  var isOfOpening: Bool { scope == nil && code != .store }

  static let stopped = ClientError(
    .stopped, message: "The client was stopped", advice: "Make a new one.", isTransient: false)
}
