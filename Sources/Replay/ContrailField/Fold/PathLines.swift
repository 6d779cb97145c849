/// Splits bytes into lines, each of them a path.
///
/// A line that is longer than a path can be is cut, so that the memory stays bounded.
package struct PathLines {
  /// The maximum length of a line in bytes.
  package static let maximumByteCount = 64 << 10

  private let read: (UnsafeMutableRawBufferPointer) -> Int
  private var block: [UInt8]
  private var range = 0..<0
  private var isAtEnd = false

  /// - Parameter read: Reads bytes into a buffer and returns their number; 0 or less at the end.
  package init(blockSize: Int = 64 << 10, read: @escaping (UnsafeMutableRawBufferPointer) -> Int) {
    self.read = read
    block = [UInt8](repeating: 0, count: max(1, blockSize))
  }

  /// Returns the next line without its line feed; nil at the end. An empty line is a line.
  package mutating func next() -> String? {
    var line: [UInt8] = []
    var hasLine = false
    while true {
      if range.isEmpty {
        guard fill() else { break }
      }
      hasLine = true
      let rest = block[range]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line += rest[..<(end ?? rest.endIndex)].prefix(Self.maximumByteCount - line.count)
      range = (end.map { $0 + 1 } ?? rest.endIndex)..<rest.endIndex
      if end != nil { break }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return hasLine ? String(decoding: line, as: UTF8.self) : nil
  }

  private mutating func fill() -> Bool {
    guard !isAtEnd else { return false }
    let count = block.withUnsafeMutableBytes { read($0) }
    guard count > 0 else {
      isAtEnd = true
      return false
    }
    range = 0..<min(count, block.count)
    return true
  }
}
