import ContrailWire

/// An error in the file of a link or a tariff.
package struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the model or the path of the file.
  package var name: String
  package var reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }

  package var description: String { "\(name): \(reason)" }
}

extension JSONReader {
  /// Reads `[lowest, highest]`, both from 0 to one day.
  mutating func range() throws(JSONError) -> ClosedRange<Int64> {
    var ends: [Int64] = []
    try array { (json) throws(JSONError) in ends.append(try json.integer(in: 0...86_400_000)) }
    guard ends.count == 2, ends[0] <= ends[1] else { throw fault("a range has a lowest and a highest value") }
    return ends[0]...ends[1]
  }
}
