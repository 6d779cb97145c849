import Foundation

/// Removes a token from texts, and finds it in data.
struct Secret {
  private let spellings: [String]

  /// Creates a filter for a token. Nil and the empty token match nothing.
  init(_ token: String?) {
    guard let token, !token.isEmpty else {
      spellings = []
      return
    }
    let encoded = Secret.percentEncoded(token)
    spellings = encoded == token ? [token] : [token, encoded]
  }

  /// Returns the text with each form of the token replaced.
  func hidden(in text: String) -> String {
    spellings.reduce(text) { $0.replacingOccurrences(of: $1, with: "<token>") }
  }

  func isIn(_ data: Data) -> Bool {
    spellings.contains { data.range(of: Data($0.utf8)) != nil }
  }

  /// Returns text percent-encoded as a path component, except for RFC 3986's unreserved characters.
  static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
