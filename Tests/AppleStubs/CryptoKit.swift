// A part of CryptoKit whose names the internals of this package use as well; see README.md.

public protocol Digest: Sequence<UInt8> { static var byteCount: Int { get } }

public struct SHA256Digest: Digest {
  public static let byteCount = 32
  public func makeIterator() -> Array<UInt8>.Iterator { Array(repeating: 0, count: Self.byteCount).makeIterator() }
}

public struct SHA256 {
  public static func hash(data: some Sequence<UInt8>) -> SHA256Digest { SHA256Digest() }
}
