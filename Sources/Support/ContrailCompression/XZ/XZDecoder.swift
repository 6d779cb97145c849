/// Decompresses `.xz` and legacy `.lzma` data incrementally, with constant memory.
///
/// ```swift
/// let decoder = XZDecoder(limits: .init(outputBytes: 64 << 20))
/// var isAtEnd = false
/// while !isAtEnd {
///   let step = try decoder.decode(input, into: output, isLast: true)
///   write(output[..<step.producedBytes])
///   input = UnsafeRawBufferPointer(rebasing: input[step.consumedBytes...])
///   isAtEnd = step.isAtEnd
/// }
/// ```
///
/// Like `xz`, it reads concatenated `.xz` streams as one, with the padding between and after them that the format
/// allows. A decoder has a single owner.
package final class XZDecoder {
  /// The limits of a decoder.
  package struct Limits: Hashable, Sendable {
    /// The maximum memory for the dictionary, in bytes. The highest preset of `xz` requires 65 MiB.
    package var memoryBytes: UInt64
    /// The maximum number of bytes of output.
    package var outputBytes: Int64

    /// Creates limits.
    package init(memoryBytes: UInt64 = 128 << 20, outputBytes: Int64 = .max) {
      self.memoryBytes = memoryBytes
      self.outputBytes = outputBytes
    }
  }

  private enum State {
    case beforeFirst
    case inside
    /// After a stream, followed by this number of bytes of padding.
    case after(paddingBytes: Int)
  }

  /// The detected format; nil before the first byte.
  package private(set) var format: XZFormat?
  /// The number of compressed bytes consumed.
  package private(set) var consumedBytes: Int64 = 0
  /// The number of bytes of output.
  package private(set) var producedBytes: Int64 = 0

  private let limits: Limits
  private var state = State.beforeFirst
  private var codec: Codec?
  /// The offset of the current stream.
  private var streamOffset: Int64 = 0

  /// Creates a decoder.
  package init(limits: Limits = Limits()) {
    self.limits = Limits(memoryBytes: max(1, limits.memoryBytes), outputBytes: max(0, limits.outputBytes))
  }

  /// Decompresses as much of `input` as fits into `output`.
  ///
  /// - Parameters:
  ///   - input: The compressed bytes after those consumed before.
  ///   - output: The buffer for the output, at least one byte.
  ///   - isLast: Whether `input` contains all remaining data.
  /// - Returns: The number of bytes consumed and produced, and whether decompression is complete.
  /// - Throws: ``CompressionError``. The decoder must not be used afterwards.
  package func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
  ) throws(CompressionError) -> XZStep {
    var step = XZStep(consumedBytes: 0, producedBytes: 0, isAtEnd: false)
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: input[step.consumedBytes...])
      switch state {
      case .beforeFirst:
        guard let first = rest.first else {
          if isLast { throw .truncated(offset: 0) }
          return step
        }
        format = first == XZFormat.xzFirstByte ? .xz : .lzma
        try begin(first)
      case .inside:
        let room = UnsafeMutableRawBufferPointer(rebasing: output[step.producedBytes...])
        if room.isEmpty { return step }
        let outcome = try advance(rest, room, &step)
        if case .starved = outcome {
          if isLast { throw .truncated(offset: consumedBytes) }
          return step
        }
      case .after(let paddingBytes):
        let isDone = try skipPadding(rest, paddingBytes, isLast: isLast, &step)
        if isDone || step.consumedBytes == input.count { return step }
      }
    }
  }

  private func begin(_ firstByte: UInt8) throws(CompressionError) {
    streamOffset = consumedBytes
    do throws(CompressionError) {
      codec = try Codec(unpackingFrom: firstByte, memoryLimitBytes: limits.memoryBytes)
    } catch {
      throw self.error(error)
    }
    state = .inside
  }

  private func advance(
    _ input: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer, _ step: inout XZStep
  ) throws(CompressionError) -> CodecStep {
    // Allow one byte more than the limit, to distinguish data that fits exactly from data that is too large.
    let allowed = limits.outputBytes - producedBytes
    let room = room.count > allowed ? UnsafeMutableRawBufferPointer(rebasing: room[...Int(allowed)]) : room
    let outcome: CodecStep
    do throws(CompressionError) {
      guard let result = try codec?.step(input, room, finish: false) else { return .starved }
      step.consumedBytes += result.consumed
      step.producedBytes += result.produced
      consumedBytes += Int64(result.consumed)
      producedBytes += Int64(result.produced)
      outcome = result.outcome
    } catch {
      throw self.error(error)
    }
    if producedBytes > limits.outputBytes { throw .oversized(limitBytes: limits.outputBytes) }
    if case .ended = outcome {
      codec = nil
      state = .after(paddingBytes: 0)
    }
    return outcome
  }

  /// Skips padding, which must be a multiple of four bytes, and starts the next stream, if there is one.
  ///
  /// - Returns: Whether decompression is complete.
  private func skipPadding(
    _ input: UnsafeRawBufferPointer, _ before: Int, isLast: Bool, _ step: inout XZStep
  ) throws(CompressionError) -> Bool {
    let count = format == .xz ? input.prefix { $0 == 0 }.count : 0
    let padding = before + count
    step.consumedBytes += count
    consumedBytes += Int64(count)
    state = .after(paddingBytes: padding)
    if let next = input.dropFirst(count).first {
      guard format == .xz, padding.isMultiple(of: 4), next == XZFormat.xzFirstByte else {
        throw .trailingGarbage(offset: consumedBytes)
      }
      try begin(next)
      return false
    }
    if isLast {
      guard padding.isMultiple(of: 4) else { throw .trailingGarbage(offset: consumedBytes) }
      step.isAtEnd = true
    }
    return isLast
  }

  /// Returns an error of the codec, which knows neither the offset nor the limit, with its place.
  private func error(_ fault: CompressionError) -> CompressionError {
    switch fault {
    case .damaged: .damaged(offset: consumedBytes)
    case .notCompressed where streamOffset > 0: .trailingGarbage(offset: streamOffset)
    case .memoryLimited(let needed, _): .memoryLimited(neededBytes: needed, limitBytes: limits.memoryBytes)
    default: fault
    }
  }
}
