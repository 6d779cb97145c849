public import ContrailXZ

/// Undoes the compression around a file of airports, as its bytes come: `.xz` or legacy `.lzma`, told by content; what isn't packed is
/// taken as it is.
///
/// The result stands in memory as a whole: a property list can't be read before its end is there.
public final class AirportUnpacker {
  /// What has been unpacked.
  public private(set) var bytes: [UInt8] = []

  private enum Packing {
    case undecided
    case none
    case packed(XZDecoder)
  }

  private let limits: XZDecoder.Limits
  private var packing = Packing.undecided
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  /// What unpacking may cost unless you say otherwise: some ten times what the largest known cycle needs.
  public static let defaultLimits = XZDecoder.Limits(memoryBytes: 80 << 20, outputBytes: 96 << 20)

  /// Makes an unpacker.
  public init(limits: XZDecoder.Limits = defaultLimits) {
    self.limits = limits
  }

  /// Takes the bytes that follow.
  ///
  /// - Parameters:
  ///   - input: What follows; what begins the data must be at least eight bytes, or all there is.
  ///   - isLast: Whether nothing comes after.
  /// - Throws: ``AirportDataError/Code/notUnpacked``, ``AirportDataError/Code/truncated``,
  ///   ``AirportDataError/Code/concatenated`` or ``AirportDataError/Code/oversized``.
  public func append(_ input: UnsafeRawBufferPointer, isLast: Bool) throws(AirportDataError) {
    if case .undecided = packing {
      let isPlain = [AirportFile.magic, PropertyListView.magic].contains { input.starts(with: $0) }
      packing = isPlain ? .none : .packed(XZDecoder(limits: limits))
    }
    guard case .packed(let decoder) = packing else {
      guard Int64(bytes.count + input.count) <= limits.outputBytes else {
        throw AirportDataError(.oversized, at: bytes.count, "there are more than \(limits.outputBytes) bytes")
      }
      bytes.append(contentsOf: input)
      return
    }
    do throws(XZError) {
      var rest = input
      while true {
        let step = try block.withUnsafeMutableBufferPointer { block throws(XZError) in
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
