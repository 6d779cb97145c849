/// The reason and position at which bytes are not the expected JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The zero-based offset of the invalid byte.
  public let offset: Int
  /// A description of the fault, such as `"expected a number"`.
  public let reason: String

  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  public var description: String { "byte \(offset): \(reason)" }
}
