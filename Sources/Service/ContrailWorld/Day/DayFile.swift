import ContrailCompression
import ContrailLog

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Reads files of a recorded day, compressed or not.
enum DayFile {
  /// The maximum size of a decompressed file. One day of worldwide positions is about 300 MB.
  static let maximumBytes = 512 << 20

  /// Returns the contents of a file. `.xz` data is detected by content and decompressed.
  static func contents(of path: String) throws(DayError) -> [UInt8] {
    // Opening a pipe waits for another process, and a device may be endless.
    guard (try? POSIXStorage().kind(of: path)) != .special else {
      throw .unreadable(file: path, reason: "it is a pipe, a socket or a device, not a file")
    }
    guard FileBytes.stamp(of: path).map({ $0.size <= maximumBytes }) ?? true else {
      throw .unreadable(file: path, reason: "the file is larger than \(maximumBytes) bytes")
    }
    guard let file = fopen(path, "rb") else {
      throw .unreadable(file: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      bytes += block[..<count]
      guard bytes.count <= maximumBytes else {
        throw .unreadable(file: path, reason: "the file is larger than \(maximumBytes) bytes")
      }
      guard count == 0 else { continue }
      guard ferror(file) == 0 else { throw .unreadable(file: path, reason: String(cString: strerror(errno))) }
      break
    }
    guard bytes.withUnsafeBytes({ XZFormat.isXZ($0) }) else { return bytes }
    do throws(CompressionError) {
      return try XZ.decompress(bytes, limits: .init(outputBytes: Int64(maximumBytes)))
    } catch {
      throw .damaged(file: path, reason: "\(error)")
    }
  }
}
