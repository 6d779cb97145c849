public import ContrailGeodesy

/// Why a message is not one of the protocol's.
public enum WireFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not the JSON that was expected.
  case json(JSONFault)
  /// A member that must be there is not.
  case missing(String)
  /// The area is none.
  case ring(RingFault)
  /// The lower altitude is above the upper; thousands of feet.
  case invertedAltitudes(lower: Int64, upper: Int64)
  /// A record was observed more than an hour after the answer was given; both in seconds since 1970.
  case fromTheFuture(observedAt: Int64, token: Int64)
  /// The weather service says that it won't answer, in its own words.
  case refused(String)

  /// A stable name for logs and programs.
  public var code: String {
    switch self {
    case .json: "notTheExpectedJSON"
    case .missing: "memberMissing"
    case .ring(let fault): fault.code
    case .invertedAltitudes: "altitudesInverted"
    case .fromTheFuture: "fromTheFuture"
    case .refused: "refused"
    }
  }

  public var description: String {
    switch self {
    case .json(let fault): fault.description
    case .missing(let name): "the member '\(name)' is missing"
    case .ring(let fault): fault.description
    case .invertedAltitudes(let lower, let upper): "altitudes from \(lower) to \(upper) thousand feet are inverted"
    case .fromTheFuture(let observedAt, let token):
      "a record was observed at \(observedAt), long after the answer's time \(token)"
    case .refused(let words): "the service won't answer: \(words.prefix(200))"
    }
  }
}
