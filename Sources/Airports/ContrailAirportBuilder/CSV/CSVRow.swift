/// A row of a CSV file with unquoted fields.
public struct CSVRow: Hashable, Sendable {
  /// The one-based line on which the row begins. A row can span several lines.
  public let line: Int
  /// The bytes of all fields.
  private let bytes: [UInt8]
  /// The end of each field in the bytes.
  private let ends: [Int]

  init(line: Int, bytes: [UInt8], ends: [Int]) {
    self.line = line
    self.bytes = bytes
    self.ends = ends
  }

  /// The number of fields, at least one.
  public var count: Int { ends.count }

  /// Whether the row is an empty line.
  public var isBlank: Bool { ends.count == 1 && bytes.isEmpty }

  /// Returns the bytes of a field. Empty if the index is out of range.
  public func bytes(at index: Int) -> ArraySlice<UInt8> {
    guard ends.indices.contains(index) else { return [] }
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Returns a field as text. Invalid UTF-8 is replaced.
  public subscript(index: Int) -> String { String(decoding: bytes(at: index), as: UTF8.self) }

  /// All fields as text.
  public var fields: [String] { (0..<count).map { self[$0] } }
}
