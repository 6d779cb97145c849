/// Why bytes are not the JSON that was expected, and where.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The zero-based offset of the offending byte.
  public let offset: Int
  /// What was wrong, such as `"expected a number"`.
  public let reason: String

  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  public var description: String { "byte \(offset): \(reason)" }
}
