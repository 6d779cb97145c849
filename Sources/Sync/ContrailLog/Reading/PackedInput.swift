import ContrailCompression

/// Reads the contents of a compressed file.
final class PackedInput: LineInput {
  private let packed: FileInput
  private let path: String
  private let decoder = XZDecoder()
  private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
  /// The part of the block that isn't decompressed yet.
  private var rest: Range<Int> = 0..<0
  private var isLast = false
  private var isDone = false

  init(_ packed: FileInput, path: String) {
    self.packed = packed
    self.path = path
  }

  deinit { block.deallocate() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    while !isDone {
      if rest.isEmpty, !isLast {
        rest = 0..<(try packed.read(into: block))
        isLast = rest.isEmpty
      }
      do throws(CompressionError) {
        let step = try decoder.decode(UnsafeRawBufferPointer(rebasing: block[rest]), into: buffer, isLast: isLast)
        rest = rest.lowerBound + step.consumedBytes..<rest.upperBound
        isDone = step.isAtEnd
        if step.producedBytes > 0 { return step.producedBytes }
      } catch {
        throw LogError(.damagedArchive, file: path, reason: error.description)
      }
    }
    return 0
  }
}
