#if !canImport(CLZMA) && !canImport(Compression)
  /// The codec of a platform without one, such as a browser: it refuses all data.
  struct Codec: ~Copyable {
    /// The result of a call.
    enum Outcome {
      /// More input or more output space is needed.
      case going
      /// No progress is possible with the given buffers.
      case starved
      /// The stream is complete.
      case ended
    }

    /// The reason why a call failed.
    enum Fault: Error {
      case damaged
      case format
      case unsupported
      case memoryLimited(needed: UInt64)
      case outOfMemory
    }

    /// Throws ``Fault/unsupported``.
    init(unpackingFrom firstByte: UInt8, memoryLimitBytes: UInt64) throws(Fault) { throw .unsupported }

    /// Throws ``Fault/unsupported``.
    init(packingWith preset: Int) throws(Fault) { throw .unsupported }

    /// Throws ``Fault/unsupported``.
    mutating func step(
      _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, finish: Bool
    ) throws(Fault) -> (consumed: Int, produced: Int, outcome: Outcome) { throw .unsupported }
  }
#endif
