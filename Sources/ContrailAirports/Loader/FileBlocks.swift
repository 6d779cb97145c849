import ContrailLog
import Foundation

/// A file's bytes, block by block, so that no file stands in memory as a whole.
struct FileBlocks {
  private static let blockBytes = 1 << 16

  /// The file's size when it was opened; no more is read.
  let byteCount: Int64
  private(set) var offset: Int64 = 0
  private let file: FileHandle

  init(path: String) throws {
    file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    byteCount = Int64(clamping: try file.seekToEnd())
    try file.seek(toOffset: 0)
  }

  var isAtEnd: Bool { offset >= byteCount }

  /// Returns the next block, empty at the end.
  mutating func next() throws -> Data {
    let count = Int(min(Int64(Self.blockBytes), byteCount - offset))
    guard count > 0 else { return Data() }
    let block = try file.read(upToCount: count) ?? Data()
    // A file that has become shorter ends here.
    offset = block.isEmpty ? byteCount : offset + Int64(block.count)
    return block
  }

  /// The SHA-256 of what is left, 64 lowercase hexadecimal digits.
  mutating func sha256() throws -> String {
    var hash = SHA256()
    while !isAtEnd {
      try Task.checkCancellation()
      let block = try next()
      block.withUnsafeBytes { hash.update($0) }
    }
    return hash.finishedHex()
  }
}
