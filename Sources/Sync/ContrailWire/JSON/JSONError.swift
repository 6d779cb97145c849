/// The reason and position at which bytes are not the expected JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The zero-based offset of the invalid byte.
  package let offset: Int
  /// A description of the fault, such as `"expected a number"`.
  package let reason: String

  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  package var description: String { "byte \(offset): \(reason)" }
}
