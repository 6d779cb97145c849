import ContrailLog

/// SHA-256 of public keys.
enum KeyHash {
  /// Returns the hash, 32 bytes.
  static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    Array(bytes).withUnsafeBytes { hash.update($0) }
    let digits = hash.finishedHex().utf8.map {
      $0 > UInt8(ascii: "9") ? $0 - UInt8(ascii: "a") + 10 : $0 - UInt8(ascii: "0")
    }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
