import ContrailWire

/// The end of a log at one time, as its chain of hashes states it.
///
/// Two logs with the same head have the same lines up to it: the hash covers the lines since the last mark, and that mark
/// contains the hash of the lines before.
package struct LogHead: Hashable, Sendable {
  /// The `seq` of the last line.
  package let seq: Int64
  /// The SHA-256 of the lines from the last mark or segment header on, as 64 lowercase hexadecimal digits.
  package let chain: String

  package init(seq: Int64, chain: String) {
    self.seq = seq
    self.chain = chain
  }

  /// Creates a head from the form `SEQ:CHAIN`; nil for any other text.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let seq = Int64(text[..<colon]), seq >= 0 else {
      return nil
    }
    let chain = String(text[text.utf8.index(after: colon)...])
    guard Self.isHash(chain) else { return nil }
    self.init(seq: seq, chain: chain)
  }

  /// The head in the form `SEQ:CHAIN`.
  package var text: String { "\(seq):\(chain)" }

  /// The bytes that a signature of the head is about.
  package var statement: [UInt8] { Array("contrail-log-1 \(seq) \(chain)".utf8) }

  static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { Hex.lowercaseDigit($0) != nil }
  }
}

/// A signature of a log's head.
package struct LogSignature: Hashable, Sendable {
  /// The head.
  package let head: LogHead
  /// The name of the key; see ``keyName(of:)``.
  package let key: String
  /// The signature of ``LogHead/statement``. Its form belongs to the key.
  package let bytes: [UInt8]

  /// The maximum number of bytes of a signature. A P-256 signature in DER has at most 72.
  package static let maximumBytes = 144

  /// Creates a signature; nil if it is empty or too long, or if the name of the key isn't 16 lowercase hexadecimal
  /// digits.
  package init?(of head: LogHead, key: String, bytes: [UInt8]) {
    guard (1...Self.maximumBytes).contains(bytes.count), Self.isKeyName(key) else { return nil }
    self.head = head
    self.key = key
    self.bytes = bytes
  }

  /// Returns the name of a public key: the first 16 hexadecimal digits of the SHA-256 of its bytes.
  package static func keyName(of publicKey: [UInt8]) -> String {
    String(publicKey.withBytes { SHA256.hex($0) }.prefix(16))
  }

  static func isKeyName(_ text: String) -> Bool {
    text.utf8.count == 16 && text.utf8.allSatisfy { Hex.lowercaseDigit($0) != nil }
  }
}
