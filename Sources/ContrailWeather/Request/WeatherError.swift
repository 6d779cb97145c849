/// What went wrong with a request for weather: which kind of fault, where, why, and what to do.
///
/// ```
/// refused at status 200: the service says "token is invalid". Check the token and what it is entitled to.
/// ```
///
/// No text ever holds the token: what came from the service or the transport is searched for it first.
public struct WeatherError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The endpoint has no token.
    case missingToken
    /// The endpoint's coordinate isn't a point on the earth.
    case invalidCoordinate
    /// A length, the file, the version or the service's address can't be asked for.
    case invalidEndpoint
    /// Nothing is stored for the place.
    case nothingStored
    /// What is stored for the place is an answer for another one.
    case storedForAnotherPlace
    /// The system refused to read what is stored.
    case unreadable
    /// The system refused to store the answer.
    case notStored
    /// The answer isn't one of this service: not JSON, or a part of it isn't what it has to be.
    case malformed
    /// The service says that it won't answer.
    case refused
    /// The answer has an HTTP status that isn't success, and no reason of the service.
    case httpStatus
    /// No answer came.
    case unreachable
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of fault.
  public let code: Code
  /// The field at fault: a property of the endpoint, a path into the answer, or a file's name.
  public let field: String?
  /// The HTTP status, where there is one.
  public let status: Int?
  /// Why, in a clause without a full stop.
  public let reason: String
  /// Seconds since the service made the stored answer for the place, where there is one: what an app may still show.
  public internal(set) var storedAgeSeconds: Double?

  /// Makes an error.
  public init(
    _ code: Code, at field: String? = nil, status: Int? = nil, reason: String, storedAgeSeconds: Double? = nil
  ) {
    self.code = code
    self.field = field
    self.status = status
    self.reason = reason
    self.storedAgeSeconds = storedAgeSeconds
  }

  /// Whether the same request, made again later, could succeed.
  public var isTransient: Bool {
    switch code {
    case .unreachable: true
    case .httpStatus, .refused: status.map { $0 == 408 || $0 == 429 || (500..<600).contains($0) } ?? false
    case .missingToken, .invalidCoordinate, .invalidEndpoint, .nothingStored, .storedForAnotherPlace, .unreadable,
      .notStored, .malformed, .cancelled:
      false
    }
  }

  /// What to do about it, as a sentence.
  public var advice: String {
    switch code {
    case .missingToken: "Set the endpoint's token."
    case .invalidCoordinate: "Ask for a latitude within ±90 and a longitude within ±360 degrees."
    case .invalidEndpoint: "Correct that property of the endpoint."
    case .nothingStored, .storedForAnotherPlace: "Ask the service."
    case .unreadable, .notStored: "Check the directory's permissions and the free space."
    case .malformed: "Ask again; if it stays, the service has changed its answers."
    case .refused: "Check the token and what it is entitled to."
    case .httpStatus: isTransient ? "Ask again later." : "Check the service's address, version and file."
    case .unreachable: "Ask again when there is a connection."
    case .cancelled: "Nothing is to be done."
    }
  }
}

extension WeatherError: CustomStringConvertible {
  public var description: String {
    var text = code.rawValue
    if let field { text += " at \(field)" }
    if let status { text += field == nil ? " at status \(status)" : " (status \(status))" }
    text += ": \(reason)"
    if let storedAgeSeconds { text += "; what is stored is \(Self.words(forAge: storedAgeSeconds)) old" }
    return "\(text). \(advice)"
  }

  /// An age in whole minutes, or seconds below one.
  private static func words(forAge seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "unknown" }
    return abs(seconds) < 60 ? "\(Int(seconds)) s" : "\(Int(seconds / 60)) min"
  }
}
