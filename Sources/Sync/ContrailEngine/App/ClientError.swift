public import ContrailCore
import ContrailLog
package import ContrailQuery
import ContrailWire

/// An error of a client, with a message and advice that an application can show.
public struct ClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The server is unreachable, or the connection was lost.
    public static let network = Code(rawValue: "network")
    /// The response didn't arrive in time.
    public static let timeout = Code(rawValue: "timeout")
    /// The secure connection failed.
    public static let security = Code(rawValue: "security")
    /// The response exceeds the size limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The server reported an error, or the server URL is invalid.
    public static let server = Code(rawValue: "server")
    /// The server limits the rate of requests.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// The response isn't from the service, such as a captive portal's page or a redirect.
    public static let notTheService = Code(rawValue: "notTheService")
    /// The response can't be decoded.
    public static let malformedAnswer = Code(rawValue: "malformedAnswer")
    /// The key is missing or invalid.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The application's provider of credentials failed, or didn't answer in time.
    public static let credentials = Code(rawValue: "credentials")
    /// A setting of the connection is invalid, or this platform lacks it.
    public static let connection = Code(rawValue: "connection")
    /// The server rejected the request.
    public static let badRequest = Code(rawValue: "badRequest")
    /// The same data would be fetched in full repeatedly.
    public static let refetchLoop = Code(rawValue: "refetchLoop")
    /// The server's data don't match its checksum.
    public static let serverInconsistent = Code(rawValue: "serverInconsistent")
    /// The service of the configuration doesn't have it; see `ServiceProfile`.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The server rejected an ownship report.
    public static let reportRefused = Code(rawValue: "reportRefused")
    /// The service keeps ownship reports from others, because they don't seem plausible.
    public static let reportHeldBack = Code(rawValue: "reportHeldBack")
    /// The weather service refused the request.
    public static let weatherRefused = Code(rawValue: "weatherRefused")
    /// A value of an ownship report is out of range.
    public static let invalidReport = Code(rawValue: "invalidReport")
    /// An area or range of a query is invalid.
    public static let invalidQuery = Code(rawValue: "invalidQuery")
    /// The log can't be opened or written.
    public static let disk = Code(rawValue: "disk")
    /// Another process uses the directory.
    public static let inUse = Code(rawValue: "inUse")
    /// The log can't be signed. Everything else works without signatures.
    public static let signing = Code(rawValue: "signing")
    /// The database beside the log can't be opened or written. Everything else works without it.
    public static let store = Code(rawValue: "store")
    /// The client was stopped.
    public static let stopped = Code(rawValue: "stopped")
  }

  public let code: Code
  /// The affected scope; nil if the error affects all.
  public let scope: ScopeID?
  /// The host of the request; nil if there was none.
  public let host: String?
  /// The error and its place.
  public let message: String
  /// A suggestion to resolve the error, as sentences for the user.
  public let advice: String
  /// Whether the error may resolve without action.
  public let isTransient: Bool

  public var description: String { "\(message). \(advice)" }

  package init(
    _ code: Code, scope: ScopeID? = nil, host: String? = nil, message: String, advice: String, isTransient: Bool
  ) {
    self.code = code
    self.scope = scope
    self.host = host
    self.message = message.hasSuffix(".") ? String(message.dropLast()) : message
    self.advice = advice
    self.isTransient = isTransient
  }

  init(_ failure: TransportFailure, scope: ScopeID?, host: String?, message: String) {
    let advice =
      switch failure {
      case .network: "The client retries automatically when the device is online."
      case .timeout: "The client retries automatically, with increasing delays."
      case .security: "Check the device's date and network."
      case .tooLarge: "Request a smaller area, fewer types or a shorter history."
      }
    self.init(
      Code(rawValue: failure.rawValue), scope: scope, host: host, message: message, advice: advice,
      isTransient: failure != .security)
  }

  /// Creates the error of a response after which the scope retries with a delay.
  init(failed response: Input.Response, scope: ScopeID, host: String?) {
    let status = response.status
    let (code, what, advice): (Code, String, String) =
      switch status {
      case 429: (.rateLimited, "limits the rate of requests (429)", "The client retries later.")
      case 408, 410, 425, 500...:
        (.server, "reported an error (\(status))", "The client retries automatically, with increasing delays.")
      case 200 where Self.isOfTheService(response.body.bytes):
        (
          .malformedAnswer, "sent a response that can't be decoded",
          "The client retries automatically, with increasing delays."
        )
      case 200...299:
        (
          .notTheService, "sent a response that isn't from the service (\(status))",
          "Sign in to the device's network."
        )
      case 300...399:
        (
          .notTheService, "redirected the request (\(status))",
          "Sign in to the device's network, or correct the server URL."
        )
      default: (.server, "responded with status \(status)", "The client retries automatically, with increasing delays.")
      }
    self.init(
      code, scope: scope, host: host, message: "\(host ?? "The server") \(what)", advice: advice, isTransient: true)
  }

  /// Whether a body begins as a JSON object or an answer in the compact form, whole or cut.
  private static func isOfTheService(_ body: [UInt8]) -> Bool {
    let marks = [
      UInt8(ascii: "{"), ObservationsAnswer.compactMark, PolygonsAnswer.compactMark, CompactBundle.mark,
    ]
    return body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map(marks.contains) == true
  }

  package init(_ rejected: Decision.QueryRejected) {
    self.init(
      .invalidQuery, scope: rejected.scope, message: rejected.message,
      advice: rejected.keepsLastValue ? "\(rejected.advice) The last valid value stays in use." : rejected.advice,
      isTransient: false)
  }

  /// Creates the error of an issue that is reported once.
  ///
  /// - Parameter response: The response that revealed the issue; nil without a response.
  init(_ reported: Decision.ErrorReported, host: String?, response: Input.Response?) {
    let subject = reported.scope.subject
    let status = response?.status
    let (message, advice) =
      switch reported.code {
      case .unauthorized:
        ("The server rejected the key", "Set a valid key, or retry with fetchData(refresh:).")
      case .badRequest where status == 404 || status == 405:
        (
          "The server doesn't know the path of the request for \(subject) (\(status ?? 0))",
          "Correct the server URL: its path precedes the path of each request."
        )
      case .badRequest:
        ("The server rejected the request for \(subject)", "Change the data query.")
      case .refetchLoop:
        ("The server sends no valid deltas for \(subject)", "All data is fetched, at long intervals.")
      case .reportRefused:
        ("The server rejected an ownship report", "The report isn't sent again; the log keeps it.")
      case .reportHeldBack:
        (
          "The service keeps \(Self.heldBackText(response)) from others",
          "Check the sensor and the positions. The list of ownship reports shows which these are."
        )
      case .weatherRefused:
        (
          "The weather service refused the request for \(subject)",
          "Check the token and its permissions. The client retries at long intervals."
        )
      case .serverInconsistent:
        (
          "The server's data of \(subject) doesn't match its checksum",
          "The data is shown anyway."
        )
      }
    self.init(
      Code(rawValue: reported.code.rawValue), scope: reported.scope, host: host, message: message, advice: advice,
      isTransient: [.refetchLoop, .serverInconsistent, .weatherRefused].contains(reported.code))
  }

  /// Returns the number of reports that a service keeps from others, with the reasons.
  private static func heldBackText(_ response: Input.Response?) -> String {
    guard let answer = response?.body.uploadAnswer(reportCount: ReportsUpload.maximumCount), !answer.heldBack.isEmpty
    else { return "ownship reports" }
    let count = answer.heldBack.count
    return "\(count) ownship report\(count == 1 ? "" : "s") (\(answer.reasons))"
  }

  package init(_ error: EngineError) {
    let isInUse = error.logError?.code == .locked
    let code: Code = isInUse ? .inUse : error.code == .log ? .disk : Code(rawValue: error.code.rawValue)
    let advice =
      switch error.code {
      case .log where isInUse: "End the other process, or use a different directory."
      case .log: "Check the free disk space and the permissions of the directory. Written data is kept."
      case .unknownLine: "Use the version that wrote the directory, or a newer one."
      case .server: "Use a URL such as https://example.com."
      case .connection: "Correct the connection of the configuration."
      case .closed: "Create a new client."
      default: "Report this error with its code."
      }
    self.init(code, message: error.message, advice: advice, isTransient: error.isTransient)
  }

  package init(_ failure: SigningFailure) {
    let message =
      switch failure {
      case .failed(let text): "The log can't be signed: \(text)"
      case .slow: "The log can't be signed: the signer hasn't answered for \(Signing.timeoutMS / 1000) s"
      case .invalid(let count): "The log can't be signed: the signature has \(count) bytes"
      }
    self.init(
      .signing, message: message,
      advice: "Everything is logged, and the next signature covers it. Check the signer.", isTransient: true)
  }

  package init(_ fault: QueryError) {
    self.init(
      .invalidQuery, message: fault.description.capitalizedSentence, advice: "Correct this value of the query.",
      isTransient: false)
  }

  package init(_ fault: ReportError) {
    self.init(
      .invalidReport, scope: .outbox, message: fault.description.capitalizedSentence,
      advice: "The report wasn't stored. Correct this value.", isTransient: false)
  }

  /// Whether the error lasts until it has ended; otherwise it is of a moment.
  package var lasts: Bool {
    ![.invalidQuery, .refetchLoop, .serverInconsistent, .reportRefused, .reportHeldBack].contains(code)
  }

  /// Whether the error means that the log can't be opened.
  package var isOfOpening: Bool { scope == nil && ![.store, .credentials, .signing].contains(code) }

  /// Creates the error of the application's provider of credentials.
  static func credentials(_ message: String) -> ClientError {
    ClientError(
      .credentials, message: message,
      advice: "The client calls it again, with increasing delays. Until then, requests carry the last key, or none.",
      isTransient: true)
  }

  /// Creates the error of something that the service of the configuration doesn't have.
  ///
  /// - Parameters:
  ///   - message: What the service doesn't have.
  ///   - advice: A suggestion to do without.
  package static func unsupported(_ message: String, advice: String) -> ClientError {
    ClientError(.unsupported, message: message, advice: advice, isTransient: false)
  }

  package static let stopped = ClientError(
    .stopped, message: "The client was stopped", advice: "Create a new client.", isTransient: false)
}

extension String {
  /// The text with its first letter in upper case.
  fileprivate var capitalizedSentence: String {
    var bytes = Array(utf8)
    if let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) { bytes[0] = first - 32 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
