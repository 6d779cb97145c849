import ContrailWire

extension JSONReader {
  /// Reads `[lowest, highest]`, both from 0 to one day.
  mutating func range() throws(JSONError) -> ClosedRange<Int64> {
    var ends: [Int64] = []
    try array { (json) throws(JSONError) in ends.append(try json.integer(in: 0...86_400_000)) }
    guard ends.count == 2, ends[0] <= ends[1] else { throw fault("a range has a lowest and a highest value") }
    return ends[0]...ends[1]
  }
}
