/// A format of compressed data, detected by its content.
package enum XZFormat: String, Hashable, Sendable {
  /// The container of XZ Utils: one or more streams with integrity checks, and padding between them.
  case xz
  /// The legacy format of LZMA Utils: one stream without a magic number or an integrity check.
  case lzma

  /// The first bytes of an `.xz` stream.
  static let xzMagic: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
  static let xzFirstByte: UInt8 = 0xFD
  /// The first byte of `.lz`, which only some versions of liblzma support. It is always rejected.
  static let lzipFirstByte: UInt8 = 0x4C

  /// Whether `bytes`, the start of a file, are those of an `.xz` file.
  package static func isXZ(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: xzMagic) }
}
