#if !canImport(CLZMA) && !canImport(Compression)
  /// The codec of a platform without one, such as a browser: it refuses all data.
  struct Codec: ~Copyable {
    /// Throws ``CodecError/unsupported``.
    init(unpackingFrom firstByte: UInt8, memoryLimitBytes: UInt64) throws(CodecError) { throw .unsupported }

    /// Throws ``CodecError/unsupported``.
    init(packingWith preset: Int) throws(CodecError) { throw .unsupported }

    /// Throws ``CodecError/unsupported``.
    mutating func step(
      _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, finish: Bool
    ) throws(CodecError) -> (consumed: Int, produced: Int, outcome: CodecStep) { throw .unsupported }
  }
#endif
