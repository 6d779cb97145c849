public import ContrailWire

/// Why a line's content is not an event.
public enum EventFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// No kind of this format.
  case unknownKind(String)
  /// A member is malformed; the offset counts from the payload's first byte.
  case malformed(kind: String, JSONFault)
  /// A member that the kind needs is not there.
  case missing(kind: String, member: String)

  /// A stable name for programs.
  public var code: String {
    switch self {
    case .unknownKind: "unknownKind"
    case .malformed: "malformedPayload"
    case .missing: "memberMissing"
    }
  }

  public var description: String {
    switch self {
    case .unknownKind(let kind): "unknown kind '\(kind)'"
    case .malformed(let kind, let fault): "\(kind): \(fault)"
    case .missing(let kind, let member): "\(kind): the member '\(member)' is missing"
    }
  }
}
