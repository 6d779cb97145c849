#if canImport(CLZMA) && !canImport(Compression)
  import CLZMA

  /// A stream of liblzma.
  struct Codec: ~Copyable {
    private let stream: UnsafeMutablePointer<lzma_stream>

    private init() {
      stream = .allocate(capacity: 1)
      // Equivalent to LZMA_STREAM_INIT: all zero.
      stream.initialize(to: lzma_stream())
    }

    deinit {
      lzma_end(stream)
      stream.deallocate()
    }

    /// Creates a decoder of `.xz` or, if the first byte has another value, legacy `.lzma`.
    init(unpackingFrom firstByte: UInt8, memoryLimitBytes: UInt64) throws(CompressionError) {
      self.init()
      let tellUnsupportedCheck: UInt32 = 0x02  // LZMA_TELL_UNSUPPORTED_CHECK, a macro that Swift can't import
      let result =
        switch firstByte {
        case XZFormat.xzFirstByte: lzma_stream_decoder(stream, memoryLimitBytes, tellUnsupportedCheck)
        case XZFormat.lzipFirstByte: LZMA_FORMAT_ERROR
        // The only decoder of the legacy format that validates the header strictly.
        default: lzma_auto_decoder(stream, memoryLimitBytes, tellUnsupportedCheck)
        }
      guard result == LZMA_OK else { throw fault(result) }
    }

    /// Creates an encoder to `.xz` with a CRC-64.
    init(packingWith preset: Int) throws(CompressionError) {
      self.init()
      let result = lzma_easy_encoder(stream, UInt32(clamping: preset), LZMA_CHECK_CRC64)
      guard result == LZMA_OK else { throw fault(result) }
    }

    mutating func step(
      _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, finish: Bool
    ) throws(CompressionError) -> (consumed: Int, produced: Int, outcome: CodecStep) {
      stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_in = input.count
      stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = output.count
      let result = lzma_code(stream, finish ? LZMA_FINISH : LZMA_RUN)
      let consumed = input.count - stream.pointee.avail_in
      let produced = output.count - stream.pointee.avail_out
      switch result {
      case LZMA_OK: return (consumed, produced, .going)
      case LZMA_BUF_ERROR: return (consumed, produced, .starved)
      case LZMA_STREAM_END: return (consumed, produced, .ended)
      default: throw fault(result)
      }
    }

    private func fault(_ result: lzma_ret) -> CompressionError {
      switch result {
      case LZMA_FORMAT_ERROR: .notCompressed
      case LZMA_OPTIONS_ERROR, LZMA_UNSUPPORTED_CHECK: .unsupported
      case LZMA_MEMLIMIT_ERROR: .memoryLimited(neededBytes: lzma_memusage(stream), limitBytes: 0)
      case LZMA_MEM_ERROR: .outOfMemory
      default: .damaged(offset: 0)
      }
    }
  }
#endif
