import ContrailCompression

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Reads the bytes of a file in blocks, and decompresses `.xz` files. It has a single owner.
final class ByteSource {
  /// The size of the file on disk.
  let totalBytes: Int64
  /// The number of bytes read from the file on disk.
  private(set) var takenBytes: Int64 = 0

  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private var decoder: XZDecoder?
  private var input: [UInt8] = []
  private var isInputLast = false
  private var isAtEnd = false

  private static let blockBytes = 1 << 16
  private static let xzMagic: [UInt8] = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]
  /// The limits of one file: about fifty times the largest known.
  private static let limits = XZDecoder.Limits(memoryBytes: 128 << 20, outputBytes: 1 << 30)

  init(path: String) throws(AirportBuildError) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "rb") else {
      throw AirportBuildError(.unreadable, file: path, reason: "it doesn't exist, or it can't be opened")
    }
    self.file = file
    totalBytes = Int64(status.st_size)
    try fill()
    // The format is detected by content, not by name.
    if input.starts(with: Self.xzMagic) { decoder = XZDecoder(limits: Self.limits) }
  }

  deinit {
    fclose(file)
  }

  /// Returns the next block, or `nil` after the last one.
  func next() throws(AirportBuildError) -> [UInt8]? {
    while !isAtEnd {
      let block = try decoder == nil ? plain() : unpacked()
      if !block.isEmpty { return block }
    }
    return nil
  }

  private func plain() throws(AirportBuildError) -> [UInt8] {
    let block = input
    isAtEnd = isInputLast
    if !isAtEnd { try fill() }
    return block
  }

  private func unpacked() throws(AirportBuildError) -> [UInt8] {
    guard let decoder else { return [] }
    var block = [UInt8](repeating: 0, count: Self.blockBytes)
    let (input, isLast) = (input, isInputLast)
    let step: XZStep
    do throws(CompressionError) {
      step = try block.withUnsafeMutableBufferPointer { output throws(CompressionError) in
        try input.withUnsafeBufferPointer { input throws(CompressionError) in
          try decoder.decode(
            UnsafeRawBufferPointer(input), into: UnsafeMutableRawBufferPointer(output), isLast: isLast)
        }
      }
    } catch {
      throw AirportBuildError(.unreadable, file: path, reason: error.description)
    }
    self.input.removeFirst(step.consumedBytes)
    if self.input.isEmpty, !isInputLast { try fill() }
    isAtEnd = step.isAtEnd
    return Array(block[..<step.producedBytes])
  }

  private func fill() throws(AirportBuildError) {
    var block = [UInt8](repeating: 0, count: Self.blockBytes)
    let count = fread(&block, 1, block.count, file)
    if count < block.count {
      guard ferror(file) == 0 else {
        throw AirportBuildError(.unreadable, file: path, reason: "reading failed")
      }
      isInputLast = true
    }
    takenBytes += Int64(count)
    input = Array(block[..<count])
  }
}
