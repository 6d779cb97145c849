package import ContrailGeodesy

/// The reason why a message doesn't conform to the protocol.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The body is not the expected JSON.
  case json(JSONError)
  /// A required member is missing.
  case missing(String)
  /// The area is invalid.
  case ring(GeodesyError)
  /// The lower altitude is above the upper one, in thousands of feet.
  case invertedAltitudes(lower: Int64, upper: Int64)
  /// A record was observed more than an hour after the response; both times are in seconds since 1970.
  case fromTheFuture(observedAt: Int64, token: Int64)
  /// A parameter of a request has an invalid value.
  case parameter(String, value: String)
  /// The weather service refused the request, with its message.
  case refused(String)

  /// A stable code for logs and programs.
  package var code: String {
    switch self {
    case .json: "notTheExpectedJSON"
    case .missing: "memberMissing"
    case .ring(let fault): fault.code
    case .invertedAltitudes: "altitudesInverted"
    case .fromTheFuture: "fromTheFuture"
    case .parameter: "parameterInvalid"
    case .refused: "refused"
    }
  }

  package var description: String {
    switch self {
    case .json(let fault): fault.description
    case .missing(let name): "the member '\(name)' is missing"
    case .ring(let fault): fault.description
    case .invertedAltitudes(let lower, let upper):
      "the altitude range from \(lower) to \(upper) thousand feet is inverted"
    case .fromTheFuture(let observedAt, let token):
      "a record was observed at \(observedAt), more than an hour after the response's time \(token)"
    case .parameter(let name, let value): "the parameter '\(name)' has the invalid value '\(value.prefix(100))'"
    case .refused(let words): "the service refused the request: \(words.prefix(200))"
    }
  }
}
