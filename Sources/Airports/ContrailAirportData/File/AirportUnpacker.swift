package import ContrailCompression

/// Decompresses an airport file incrementally: `.xz`, legacy `.lzma` or uncompressed, detected by content.
///
/// The result is held in memory, because a property list can't be read before its end is available.
public final class AirportUnpacker {
  /// The decompressed bytes.
  public private(set) var bytes: [UInt8] = []

  private enum Packing {
    case undecided
    case none
    case packed(XZDecoder)
  }

  private let limits: XZDecoder.Limits
  private var packing = Packing.undecided
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  /// The default limits: about ten times the needs of the largest known cycle.
  package static let defaultLimits = XZDecoder.Limits(memoryBytes: 80 << 20, outputBytes: 96 << 20)

  /// Creates a decompressor.
  package init(limits: XZDecoder.Limits = defaultLimits) {
    self.limits = limits
  }

  /// Appends the next bytes of the file.
  ///
  /// - Parameters:
  ///   - input: The bytes. The first call needs at least eight bytes, or all bytes of a shorter file.
  ///   - isLast: Whether these are the last bytes.
  /// - Throws: ``AirportDataError/Code/notUnpacked``, ``AirportDataError/Code/truncated``,
  ///   ``AirportDataError/Code/concatenated`` or ``AirportDataError/Code/oversized``.
  public func append(_ input: UnsafeRawBufferPointer, isLast: Bool) throws(AirportDataError) {
    if case .undecided = packing {
      let isPlain = [AirportFile.magic, AirportDelta.magic, PropertyListView.magic].contains { input.starts(with: $0) }
      packing = isPlain ? .none : .packed(XZDecoder(limits: limits))
    }
    guard case .packed(let decoder) = packing else {
      guard Int64(bytes.count + input.count) <= limits.outputBytes else {
        throw AirportDataError(.oversized, at: bytes.count, "the data is larger than \(limits.outputBytes) bytes")
      }
      bytes.append(contentsOf: input)
      return
    }
    do throws(CompressionError) {
      var rest = input
      while true {
        let step = try block.withUnsafeMutableBufferPointer { block throws(CompressionError) in
          try decoder.decode(rest, into: UnsafeMutableRawBufferPointer(block), isLast: isLast)
        }
        bytes.append(contentsOf: block[..<step.producedBytes])
        rest = UnsafeRawBufferPointer(rebasing: rest[step.consumedBytes...])
        if step.isAtEnd || (rest.isEmpty && !isLast && step.producedBytes < block.count) { return }
      }
    } catch {
      throw AirportDataError(error)
    }
  }
}
