#if !canImport(CLZMA) && !canImport(Compression)
  /// The codec of a platform without one, such as a browser: it refuses all data.
  struct Codec: ~Copyable {
    /// The result of a call.
    enum Step {
      /// More input or more output space is needed.
      case going
      /// No progress is possible with the given buffers.
      case starved
      /// The stream is complete.
      case ended
    }

    /// The reason why a call failed.
    enum CodecError: Error {
      case damaged
      case format
      case unsupported
      case memoryLimited(needed: UInt64)
      case outOfMemory
    }

    /// Throws ``CodecError/unsupported``.
    init(unpackingFrom firstByte: UInt8, memoryLimitBytes: UInt64) throws(CodecError) { throw .unsupported }

    /// Throws ``CodecError/unsupported``.
    init(packingWith preset: Int) throws(CodecError) { throw .unsupported }

    /// Throws ``CodecError/unsupported``.
    mutating func step(
      _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, finish: Bool
    ) throws(CodecError) -> (consumed: Int, produced: Int, outcome: Step) { throw .unsupported }
  }
#endif
