#if canImport(Compression)
  import Compression

  /// A stream of Apple's Compression framework. It supports `.xz` (level 6 only), but neither `.lzma` nor a memory
  /// limit.
  struct Codec: ~Copyable {
    private let stream: UnsafeMutablePointer<compression_stream>
    /// The framework requires valid pointers even for empty buffers.
    private let nowhere: UnsafeMutablePointer<UInt8>

    private init(_ operation: compression_stream_operation) throws(CompressionError) {
      stream = .allocate(capacity: 1)
      nowhere = .allocate(capacity: 1)
      nowhere.initialize(to: 0)
      stream.initialize(
        to: compression_stream(
          dst_ptr: nowhere, dst_size: 0, src_ptr: UnsafePointer(nowhere), src_size: 0, state: nil))
      guard compression_stream_init(stream, operation, COMPRESSION_LZMA) == COMPRESSION_STATUS_OK else {
        throw .outOfMemory
      }
    }

    deinit {
      compression_stream_destroy(stream)
      stream.deallocate()
      nowhere.deallocate()
    }

    /// Creates a decoder of `.xz`. The memory limit is ignored.
    init(unpackingFrom firstByte: UInt8, memoryLimitBytes: UInt64) throws(CompressionError) {
      guard firstByte == XZFormat.xzFirstByte else { throw .unsupported }
      try self.init(COMPRESSION_STREAM_DECODE)
    }

    /// Creates an encoder to `.xz`. The preset is ignored.
    init(packingWith preset: Int) throws(CompressionError) {
      try self.init(COMPRESSION_STREAM_ENCODE)
    }

    mutating func step(
      _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, finish: Bool
    ) throws(CompressionError) -> (consumed: Int, produced: Int, outcome: CodecStep) {
      stream.pointee.src_ptr = input.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(nowhere)
      stream.pointee.src_size = input.count
      stream.pointee.dst_ptr = output.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nowhere
      stream.pointee.dst_size = output.count
      let flags = finish ? Int32(COMPRESSION_STREAM_FINALIZE.rawValue) : 0
      let status = compression_stream_process(stream, flags)
      let consumed = input.count - stream.pointee.src_size
      let produced = output.count - stream.pointee.dst_size
      switch status {
      case COMPRESSION_STATUS_END: return (consumed, produced, .ended)
      case COMPRESSION_STATUS_OK: return (consumed, produced, consumed == 0 && produced == 0 ? .starved : .going)
      default: throw .damaged(offset: 0)
      }
    }
  }
#endif
