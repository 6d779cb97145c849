/// A number of things in words, such as `1 report` or `2 reports`. The words of `replay` are in a module that a service doesn't link.
package struct Counted: CustomStringConvertible {
  let count: Int
  private let name: String

  /// - Parameters:
  ///   - one: The name of one.
  ///   - many: The name of any other number; by default with an `s`.
  package init(_ count: Int, _ one: String, _ many: String? = nil) {
    self.count = count
    name = count == 1 ? one : many ?? one + "s"
  }

  package var description: String { "\(count) \(name)" }
}
