package import ContrailWire

/// The reason why a line's content is not a valid event.
package enum EventError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind is not part of this format.
  case unknownKind(String)
  /// A member is malformed. The offset is relative to the payload's first byte.
  case malformed(kind: String, JSONError)
  /// A required member is missing.
  case missing(kind: String, member: String)

  /// A stable code for programs.
  package var code: String {
    switch self {
    case .unknownKind: "unknownKind"
    case .malformed: "malformedPayload"
    case .missing: "memberMissing"
    }
  }

  package var description: String {
    switch self {
    case .unknownKind(let kind): "unknown kind '\(kind)'"
    case .malformed(let kind, let fault): "\(kind): \(fault)"
    case .missing(let kind, let member): "\(kind): the member '\(member)' is missing"
    }
  }
}
