import CZlib

/// Compresses and decompresses whole bodies as gzip (RFC 1952).
package enum Gzip {
  /// The window of 32 KiB, plus zlib's flag for the gzip format.
  private static let windowBits: Int32 = 15 + 16

  /// Returns the bytes as one gzip member; nil if zlib is out of memory, or for 4 GiB or more.
  ///
  /// The member has no name or time, so that equal bytes are compressed equally.
  package static func packed(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    guard let count = UInt32(exactly: bytes.count) else { return nil }
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, filled in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = count
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: output.count)
        filled = deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
      }
    }
    return packed.isEmpty ? nil : packed
  }

  /// Returns the content of gzip members, limited to `limit` bytes to protect against decompression bombs.
  ///
  /// - Throws: ``CompressionError/damaged(offset:)`` if the data isn't gzip, or is damaged or truncated, and
  ///   ``CompressionError/oversized(limitBytes:)``.
  package static func unpacked(_ bytes: [UInt8], limit: Int) throws(CompressionError) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK,
      let count = UInt32(exactly: bytes.count)
    else { throw .damaged(offset: 0) }
    defer { inflateEnd(&stream) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 32 * 1024)
    let fault: CompressionError? = bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = count
      while true {
        var status = Z_OK
        let written = chunk.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return output.count - Int(stream.avail_out)
        }
        guard result.count + written <= limit else { return .oversized(limitBytes: Int64(limit)) }
        result.append(contentsOf: chunk[..<written])
        switch status {
        case Z_STREAM_END:
          if stream.avail_in == 0 { return nil }
          // Another member follows.
          guard inflateReset(&stream) == Z_OK else { return .damaged(offset: Int64(stream.total_in)) }
        case Z_OK where written > 0 || stream.avail_in > 0: continue
        default: return .damaged(offset: Int64(stream.total_in))
        }
      }
    }
    if let fault { throw fault }
    return result
  }
}
