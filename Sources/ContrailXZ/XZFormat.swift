/// A format of compressed data, told by content and never by name.
public enum XZFormat: String, Hashable, Sendable {
  /// The container of XZ Utils: streams with checks, one after the other, with padding between.
  case xz
  /// The legacy format of LZMA Utils: one stream with neither magic number nor check.
  case lzma

  /// The bytes that an `.xz` stream begins with.
  static let xzMagic: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
  static let xzFirstByte: UInt8 = 0xFD
  /// What `.lz` begins with, which some versions of liblzma unpack and others don't: here none does.
  static let lzipFirstByte: UInt8 = 0x4C

  /// Whether `bytes`, the beginning of a file, are those of an `.xz` file.
  public static func isXZ(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: xzMagic) }
}
