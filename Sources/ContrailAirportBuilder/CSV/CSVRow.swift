/// One row of a CSV file: its fields without their quotes.
public struct CSVRow: Hashable, Sendable {
  /// The line on which the row begins, the first being 1. A row may take several.
  public let line: Int
  /// The fields' bytes, one after the other.
  private let bytes: [UInt8]
  /// Where each field ends in them.
  private let ends: [Int]

  init(line: Int, bytes: [UInt8], ends: [Int]) {
    self.line = line
    self.bytes = bytes
    self.ends = ends
  }

  /// How many fields there are; at least one.
  public var count: Int { ends.count }

  /// Whether it is an empty line, which says nothing.
  public var isBlank: Bool { ends.count == 1 && bytes.isEmpty }

  /// The bytes of a field; none beyond the last.
  public func bytes(at index: Int) -> ArraySlice<UInt8> {
    guard ends.indices.contains(index) else { return [] }
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// A field as text; what isn't UTF-8 in it is replaced.
  public subscript(index: Int) -> String { String(decoding: bytes(at: index), as: UTF8.self) }

  /// All fields as text.
  public var fields: [String] { (0..<count).map { self[$0] } }
}
