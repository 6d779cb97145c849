/// An error of a weather request: its code, location, reason, and advice.
///
/// ```
/// refused at status 200: the service responded "token is invalid". Check the token and its permissions.
/// ```
///
/// No text contains the token: texts from the service and the transport are searched for it first.
public struct WeatherError: Error, Hashable, Sendable {
  /// The kind of error. The names are stable; scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The endpoint has no token.
    case missingToken
    /// The coordinate of the endpoint is invalid.
    case invalidCoordinate
    /// A length, the file, the version or the service's URL is invalid.
    case invalidEndpoint
    /// No response is stored for the place.
    case nothingStored
    /// The response stored for the place is for another one.
    case storedForAnotherPlace
    /// The system failed to read the stored response.
    case unreadable
    /// The system failed to store the response.
    case notStored
    /// The response is not valid: it isn't JSON, or a part of it has an unexpected form.
    case malformed
    /// The service's response is for a place other than the requested one. It isn't stored.
    case answeredForAnotherPlace
    /// The service refused the request.
    case refused
    /// The response has an HTTP status other than success, and no reason from the service.
    case httpStatus
    /// No response arrived.
    case unreachable
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of error.
  public let code: Code
  /// The affected field: a property of the endpoint, a path in the response, or a file name.
  public let field: String?
  /// The HTTP status, if there is one.
  public let status: Int?
  /// The reason, as a clause without a full stop.
  public let reason: String
  /// The age of the stored response in seconds, which an app may still show.
  ///
  /// Nil if no response is stored for the place.
  public internal(set) var storedAgeSeconds: Double?

  /// Creates an error.
  public init(
    _ code: Code, at field: String? = nil, status: Int? = nil, reason: String, storedAgeSeconds: Double? = nil
  ) {
    self.code = code
    self.field = field
    self.status = status
    self.reason = reason
    self.storedAgeSeconds = storedAgeSeconds
  }

  /// Whether the same request may succeed later.
  public var isTransient: Bool {
    switch code {
    case .unreachable: true
    case .httpStatus, .refused: status.map { $0 == 408 || $0 == 429 || (500..<600).contains($0) } ?? false
    case .missingToken, .invalidCoordinate, .invalidEndpoint, .nothingStored, .storedForAnotherPlace, .unreadable,
      .notStored, .malformed, .answeredForAnotherPlace, .cancelled:
      false
    }
  }

  /// A suggestion to resolve the error, as a sentence.
  public var advice: String {
    switch code {
    case .missingToken: "Set the endpoint's token."
    case .invalidCoordinate: "Use a latitude within ±90 and a longitude within ±360 degrees."
    case .invalidEndpoint: "Correct this property of the endpoint."
    case .nothingStored, .storedForAnotherPlace: "Request the weather from the service."
    case .unreadable, .notStored: "Check the directory's permissions and the free disk space."
    case .malformed: "Retry; if the error persists, the service may have changed its format."
    case .answeredForAnotherPlace: "Retry; if the error persists, check the service's address."
    case .refused: "Check the token and its permissions."
    case .httpStatus: isTransient ? "Retry later." : "Check the service's address, version and file."
    case .unreachable: "Retry when the device is online."
    case .cancelled: "No action is needed."
    }
  }
}

extension WeatherError: CustomStringConvertible {
  public var description: String {
    var text = code.rawValue
    if let field { text += " at \(field)" }
    if let status { text += field == nil ? " at status \(status)" : " (status \(status))" }
    text += ": \(reason)"
    if let storedAgeSeconds { text += "; the stored response is \(Self.words(forAge: storedAgeSeconds)) old" }
    return "\(text). \(advice)"
  }

  /// Returns an age in whole minutes, or in seconds below one minute.
  private static func words(forAge seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "unknown" }
    return abs(seconds) < 60 ? "\(Int(seconds)) s" : "\(Int(seconds / 60)) min"
  }
}
