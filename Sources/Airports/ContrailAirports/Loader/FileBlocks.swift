import ContrailLog
import Foundation

/// Reads a file in blocks, so that it is never in memory as a whole.
struct FileBlocks {
  private static let blockBytes = 1 << 16

  /// The size of the file when it was opened. Bytes appended later aren't read.
  let byteCount: Int64
  private(set) var offset: Int64 = 0
  private let file: FileHandle

  init(path: String) throws {
    file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    byteCount = Int64(clamping: try file.seekToEnd())
    try file.seek(toOffset: 0)
  }

  var isAtEnd: Bool { offset >= byteCount }

  /// Returns the next block. It is empty at the end.
  mutating func next() throws -> Data {
    let count = Int(min(Int64(Self.blockBytes), byteCount - offset))
    let block = try file.read(upToCount: count) ?? Data()
    // The file may have been truncated in the meantime.
    offset = block.isEmpty ? byteCount : offset + Int64(block.count)
    return block
  }

  /// Returns the SHA-256 of the remaining bytes as 64 lowercase hexadecimal digits.
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
