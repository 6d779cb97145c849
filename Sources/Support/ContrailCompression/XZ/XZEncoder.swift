/// Compresses data incrementally into a single `.xz` stream with a CRC-64.
///
/// An encoder has a single owner.
package final class XZEncoder {
  private var codec: Codec
  private var isAtEnd = false

  /// Creates an encoder.
  ///
  /// - Parameter preset: The compression preset, from 0 (fast) to 9 (small, with 674 MiB of memory). Other values are
  ///   clamped. Apple's framework supports only 6.
  /// - Throws: ``CompressionError/outOfMemory`` or ``CompressionError/unsupported``.
  package init(preset: Int = 6) throws(CompressionError) {
    do throws(CompressionError) {
      codec = try Codec(packingWith: min(max(preset, 0), 9))
    } catch {
      throw Self.error(error)
    }
  }

  /// Compresses as much of `input` as fits into `output`.
  ///
  /// - Parameters:
  ///   - input: The bytes after those consumed before.
  ///   - output: The buffer for the output, at least one byte.
  ///   - isLast: Whether `input` contains all remaining data. Once true, it must remain true.
  /// - Returns: The number of bytes consumed and produced, and whether compression is complete.
  /// - Throws: ``CompressionError``. The encoder must not be used afterwards.
  package func encode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
  ) throws(CompressionError) -> XZStep {
    var step = XZStep(consumedBytes: 0, producedBytes: 0, isAtEnd: isAtEnd)
    while !step.isAtEnd, step.producedBytes < output.count {
      if !isLast, step.consumedBytes == input.count { break }
      do throws(CompressionError) {
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

  private static func error(_ fault: CompressionError) -> CompressionError {
    switch fault {
    case .outOfMemory: .outOfMemory
    default: .unsupported
    }
  }
}
