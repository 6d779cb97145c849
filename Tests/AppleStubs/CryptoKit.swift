// A part of CryptoKit whose names the internals of this package use as well; see README.md.

public import Foundation

public protocol Digest: Sequence<UInt8> { static var byteCount: Int { get } }

public struct SHA256Digest: Digest {
  public static let byteCount = 32
  public func makeIterator() -> Array<UInt8>.Iterator { Array(repeating: 0, count: Self.byteCount).makeIterator() }
}

public struct SHA256 {
  public static func hash(data: some Sequence<UInt8>) -> SHA256Digest { SHA256Digest() }
}

public enum P256 {
  public enum Signing {
    public struct ECDSASignature { public var derRepresentation: Data { Data() } }

    public struct PublicKey { public var x963Representation: Data { Data() } }

    public struct PrivateKey {
      public init(compactRepresentable: Bool = true) {}
      public var publicKey: PublicKey { PublicKey() }
      public func signature<D: DataProtocol>(for data: D) throws -> ECDSASignature { ECDSASignature() }
    }
  }
}

public enum SecureEnclave {
  public static var isAvailable: Bool { false }

  public enum P256 {
    public enum Signing {
      public struct PrivateKey {
        public init(compactRepresentable: Bool = true) throws {}
        public var publicKey: CryptoKit.P256.Signing.PublicKey { .init() }
        public func signature<D: DataProtocol>(for data: D) throws -> CryptoKit.P256.Signing.ECDSASignature { .init() }
      }
    }
  }
}
