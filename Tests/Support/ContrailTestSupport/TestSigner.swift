package import ContrailLog

/// A signer whose signatures only its key can make: the hash of the key and the statement stands for a signature.
package struct TestSigner: Sendable {
  private let secret = Array("the key of the device".utf8)
  package let key = "0123456789abcdef"

  package init() {}

  package func signature(of head: LogHead) -> LogSignature? {
    LogSignature(of: head, key: key, bytes: bytes(head.statement))
  }

  package func check(_ key: String, _ statement: [UInt8], _ signature: [UInt8]) -> ChainVerification.SignatureResult {
    guard key == self.key else { return .otherKey }
    return signature == bytes(statement) ? .valid : .invalid
  }

  private func bytes(_ statement: [UInt8]) -> [UInt8] {
    Array((secret + statement).withUnsafeBytes { SHA256.hex($0) }.utf8)
  }
}
