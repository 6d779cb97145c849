/// Compresses and decompresses data in memory. For streams of data, use ``XZEncoder`` and ``XZDecoder``.
package enum XZ {
  private static let blockBytes = 64 << 10

  /// Compresses `bytes` into a single `.xz` stream.
  ///
  /// - Parameters:
  ///   - bytes: The data to compress.
  ///   - preset: The compression preset, from 0 (fast) to 9 (small).
  /// - Throws: ``CompressionError``.
  package static func compress(_ bytes: [UInt8], preset: Int = 6) throws(CompressionError) -> [UInt8] {
    let encoder = try XZEncoder(preset: preset)
    return try run(bytes, progress: nil) { input, output throws(CompressionError) in
      try encoder.encode(input, into: output, isLast: true)
    }
  }

  /// Decompresses `.xz` or `.lzma` data.
  ///
  /// - Parameters:
  ///   - bytes: The complete compressed data.
  ///   - limits: The limits for memory and output. Set `outputBytes` for untrusted data, because a few kilobytes can
  ///     decompress to gigabytes.
  ///   - progress: Called for every 64 KiB of output and at the end, with the number of compressed bytes consumed.
  /// - Throws: ``CompressionError``.
  package static func decompress(
    _ bytes: [UInt8], limits: XZDecoder.Limits = XZDecoder.Limits(),
    progress: ((_ consumedBytes: Int, _ totalBytes: Int) -> Void)? = nil
  ) throws(CompressionError) -> [UInt8] {
    let decoder = XZDecoder(limits: limits)
    return try run(bytes, progress: progress) { input, output throws(CompressionError) in
      try decoder.decode(input, into: output, isLast: true)
    }
  }

  private static func run(
    _ bytes: [UInt8], progress: ((Int, Int) -> Void)?,
    step: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws(CompressionError) -> XZStep
  ) throws(CompressionError) -> [UInt8] {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 64)
    defer { block.deallocate() }
    var result: [UInt8] = []
    var consumed = 0
    var isAtEnd = false
    while !isAtEnd {
      let done = try bytes.withUnsafeBufferPointer { bytes throws(CompressionError) in
        try step(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[consumed...]), block)
      }
      consumed += done.consumedBytes
      result.append(contentsOf: block[..<done.producedBytes])
      isAtEnd = done.isAtEnd
      progress?(consumed, bytes.count)
    }
    return result
  }
}
