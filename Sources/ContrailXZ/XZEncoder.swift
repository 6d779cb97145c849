/// Packs data as they come into one `.xz` stream with a CRC-64.
///
/// An encoder belongs to one owner.
public final class XZEncoder {
  private var codec: Codec
  private var isAtEnd = false

  /// Makes an encoder.
  ///
  /// - Parameter preset: How hard to try, 0 (fast) to 9 (small, with 674 MiB of memory); beyond, the nearer end is
  ///   taken. Apple's framework knows only 6.
  /// - Throws: ``XZError/outOfMemory`` or ``XZError/unsupported``.
  public init(preset: Int = 6) throws(XZError) {
    do throws(Codec.Fault) {
      codec = try Codec(packingWith: min(max(preset, 0), 9))
    } catch {
      throw Self.error(error)
    }
  }

  /// Packs some of `input` into some of `output`: as much as fits.
  ///
  /// - Parameters:
  ///   - input: What follows the bytes that were taken before.
  ///   - output: Where to; at least one byte.
  ///   - isLast: Whether nothing comes after `input`; once true, it must stay so.
  /// - Throws: ``XZError``; the encoder is of no more use then.
  public func encode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
  ) throws(XZError) -> XZStep {
    var step = XZStep(consumedBytes: 0, producedBytes: 0, isAtEnd: isAtEnd)
    while !step.isAtEnd, step.producedBytes < output.count {
      if !isLast, step.consumedBytes == input.count { break }
      do throws(Codec.Fault) {
        let result = try codec.step(
          UnsafeRawBufferPointer(rebasing: input[step.consumedBytes...]),
          UnsafeMutableRawBufferPointer(rebasing: output[step.producedBytes...]), finish: isLast)
        step.consumedBytes += result.consumed
        step.producedBytes += result.produced
        if case .ended = result.outcome { step.isAtEnd = true }
        if case .starved = result.outcome { break }
      } catch {
        throw Self.error(error)
      }
    }
    isAtEnd = step.isAtEnd
    return step
  }

  private static func error(_ fault: Codec.Fault) -> XZError {
    switch fault {
    case .outOfMemory: .outOfMemory
    default: .unsupported
    }
  }
}
