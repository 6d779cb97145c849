#if !canImport(CLZMA) && !canImport(Compression)
  /// The codec of a platform without one, such as a browser: it refuses all data.
  struct Codec: ~Copyable {
    /// Throws ``CompressionError/unsupported``.
    init(unpackingFrom firstByte: UInt8, memoryLimitBytes: UInt64) throws(CompressionError) { throw .unsupported }

    /// Throws ``CompressionError/unsupported``.
    init(packingWith preset: Int) throws(CompressionError) { throw .unsupported }

    /// Throws ``CompressionError/unsupported``.
    mutating func step(
      _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, finish: Bool
    ) throws(CompressionError) -> (consumed: Int, produced: Int, outcome: CodecStep) { throw .unsupported }
  }
#endif
