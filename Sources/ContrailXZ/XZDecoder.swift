/// Unpacks `.xz` and legacy `.lzma` data as they come, in memory that doesn't grow with them.
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
/// Concatenated `.xz` streams are read as one, with the padding between and after them that the format allows, as `xz`
/// does. A decoder belongs to one owner.
public final class XZDecoder {
  /// What unpacking may cost.
  public struct Limits: Hashable, Sendable {
    /// The most memory that the dictionary may take. The strongest preset of `xz` needs 65 MiB.
    public var memoryBytes: UInt64
    /// The most bytes that may come out.
    public var outputBytes: Int64

    /// Makes limits.
    public init(memoryBytes: UInt64 = 128 << 20, outputBytes: Int64 = .max) {
      self.memoryBytes = memoryBytes
      self.outputBytes = outputBytes
    }
  }

  private enum State {
    case beforeFirst
    case inside
    /// After a stream, and this many bytes of padding.
    case after(paddingBytes: Int)
  }

  /// What is unpacked; nil before the first byte.
  public private(set) var format: XZFormat?
  /// How many bytes of compressed data have been taken.
  public private(set) var consumedBytes: Int64 = 0
  /// How many bytes have come out.
  public private(set) var producedBytes: Int64 = 0

  private let limits: Limits
  private var state = State.beforeFirst
  private var codec: Codec?
  /// Where the stream that is unpacked begins.
  private var streamOffset: Int64 = 0

  /// Makes a decoder.
  public init(limits: Limits = Limits()) {
    self.limits = Limits(memoryBytes: max(1, limits.memoryBytes), outputBytes: max(0, limits.outputBytes))
  }

  /// Unpacks some of `input` into some of `output`: as much as fits.
  ///
  /// - Parameters:
  ///   - input: What follows the compressed bytes that were taken before.
  ///   - output: Where to; at least one byte.
  ///   - isLast: Whether nothing comes after `input`.
  /// - Throws: ``XZError``; the decoder is of no more use then.
  public func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
  ) throws(XZError) -> XZStep {
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

  private func begin(_ firstByte: UInt8) throws(XZError) {
    streamOffset = consumedBytes
    do throws(Codec.Fault) {
      codec = try Codec(unpackingFrom: firstByte, memoryLimitBytes: limits.memoryBytes)
    } catch {
      throw self.error(error)
    }
    state = .inside
  }

  private func advance(
    _ input: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer, _ step: inout XZStep
  ) throws(XZError) -> Codec.Outcome {
    // One byte more than the limit is asked for, so that data which just fit are told from those that don't.
    let allowed = limits.outputBytes - producedBytes
    let room = room.count > allowed ? UnsafeMutableRawBufferPointer(rebasing: room[...Int(allowed)]) : room
    let outcome: Codec.Outcome
    do throws(Codec.Fault) {
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

  /// Takes padding, of which there must be a multiple of four bytes, and begins the stream that follows, if one does.
  ///
  /// - Returns: Whether all is done.
  private func skipPadding(
    _ input: UnsafeRawBufferPointer, _ before: Int, isLast: Bool, _ step: inout XZStep
  ) throws(XZError) -> Bool {
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

  private func error(_ fault: Codec.Fault) -> XZError {
    switch fault {
    case .damaged: .damaged(offset: consumedBytes)
    case .format: streamOffset == 0 ? .notCompressed : .trailingGarbage(offset: streamOffset)
    case .unsupported: .unsupported
    case .memoryLimited(let needed): .memoryLimited(neededBytes: needed, limitBytes: limits.memoryBytes)
    case .outOfMemory: .outOfMemory
    }
  }
}
