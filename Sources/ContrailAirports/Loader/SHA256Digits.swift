import ContrailAirportData
import ContrailLog
import Foundation

/// The SHA-256 of a file's bytes as text, by which a load of it is taken up again.
enum SHA256Digits {
  /// 64 lowercase hexadecimal digits.
  static func of(_ bytes: Data) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finishedHex()
  }
}
