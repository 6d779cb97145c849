package import ContrailCore

/// An event on the timeline of a flight.
package struct FlightEvent: Sendable {
  /// Milliseconds since 1970.
  package let at: Int64
  package let content: Content

  /// Returns a time in nanoseconds since 1970. Times after the year 2262 are clamped to it.
  static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return UInt64(overflow ? .max : max(product, 0))
  }

  package enum Content: Sendable {
    /// An input, and the lines that follow from it.
    case input(Moment, decisions: [Int64], endedRequest: Int64?)
    /// A decision that starts no request.
    case decision(Moment)
    case began(Slice)
    case ended(Slice)
    case counted(Counter, Int64)
  }

  /// A line without a duration.
  package struct Moment: Sendable {
    package let seq: Int64
    /// The `kind` of the line.
    package let kind: String
    /// The description of the line.
    package let words: String
    /// The lane of a decision; `inputs` of an input.
    package let lane: Lane
    /// The `seq` of the input that caused a decision; nil for an input.
    package let cause: Int64?
  }

  /// A row of slices that follow each other.
  package enum Lane: Hashable, Sendable {
    case inputs
    /// The processes of the client, from launch to launch.
    case sessions
    /// Whether the device is online.
    case link
    /// The requests of a scope.
    case scope(ScopeID)

    package var name: String {
      switch self {
      case .inputs: "inputs"
      case .sessions: "sessions"
      case .link: "link"
      case .scope(let scope): scope.name
      }
    }
  }

  /// A span of time on a lane.
  package struct Slice: Sendable {
    package let lane: Lane
    package let name: String
    /// The `seq` of the line that began it.
    package let seq: Int64
    package let startMS: Int64
    /// The `seq` of the input that caused it; nil if no line did.
    package var cause: Int64?
    /// The request whose end caused it; nil if something else did.
    package var causingRequest: Int64?
    /// The number of the request; nil for a slice of another lane.
    package var request: Int64?
    /// The mode of the request: `full`, `delta`, `repair` or `upload`.
    package var mode: String?
    package var rule: Rule?
    /// The time for which the server may hold the request, in seconds; nil if it answers at once.
    package var holdSeconds: Int64?
    /// What is known at the beginning.
    package var facts: [Fact] = []
    package var outcome: Outcome?

    /// The end of the slice.
    package struct Outcome: Sendable {
      package let endMS: Int64
      /// A word such as `answered`, `failed`, `cancelled`, `relaunched` or `open`.
      package let word: String
      /// Whether the request failed or was refused.
      package var isError = false
      package var status: Int?
      package var downBytes: Int64?
      package var upBytes: Int64?
      package var facts: [Fact] = []
    }
  }

  /// A named value of a slice.
  package struct Fact: Sendable {
    package let name: String
    package let value: Value

    package enum Value: Sendable {
      case text(String)
      case number(Int64)
    }

    init(_ name: String, _ text: String) { (self.name, value) = (name, .text(text)) }
    init(_ name: String, _ number: Int64) { (self.name, value) = (name, .number(number)) }
  }

  /// A value that changes over the flight.
  package enum Counter: Hashable, Sendable {
    /// The bytes that were received so far.
    case bytesDown
    /// The bytes that were sent so far.
    case bytesUp
    /// The records that a scope holds.
    case held(ScopeID)
    /// The age of what a scope holds, in seconds.
    case age(ScopeID)

    package var name: String {
      switch self {
      case .bytesDown: "bytes received"
      case .bytesUp: "bytes sent"
      case .held(let scope): "\(scope.name) records held"
      case .age(let scope): "\(scope.name) age"
      }
    }
  }
}
