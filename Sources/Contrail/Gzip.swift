import CZlib

/// RFC 1952 over zlib.
enum Gzip {
  enum Fault: Error {
    /// Not gzip, damaged, or cut off.
    case damaged
    /// More than `limit` bytes would come out.
    case tooLarge
  }

  /// Compresses; nil if zlib refuses, so that the caller sends the bytes as they are.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 for gzip's head and tail.
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    var input = bytes
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { return nil }
    output.removeLast(Int(stream.avail_out))
    return output
  }

  /// Decompresses at most `limit` bytes.
  static func decompressed(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    var input = bytes
    var offset = 0
    while true {
      let (status, taken, given) = input.withUnsafeMutableBufferPointer { input in
        block.withUnsafeMutableBufferPointer { block in
          stream.next_in = input.baseAddress.map { $0 + offset }
          stream.avail_in = uInt(input.count - offset)
          stream.next_out = block.baseAddress
          stream.avail_out = uInt(block.count)
          let status = inflate(&stream, Z_NO_FLUSH)
          return (status, input.count - offset - Int(stream.avail_in), block.count - Int(stream.avail_out))
        }
      }
      offset += taken
      guard output.count + given <= limit else { throw .tooLarge }
      output.append(contentsOf: block[..<given])
      if status == Z_STREAM_END { return output }
      guard status == Z_OK, taken > 0 || given > 0 else { throw .damaged }
    }
  }
}
