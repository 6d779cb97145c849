import ContrailWire

/// Masks secrets in responses before they are written, because a server may echo a key.
struct SecretFilter: Sendable {
  /// The secrets in each encoding in which a server may echo them, as bytes.
  private let spellings: [[UInt8]]

  /// The minimum length of a secret. A shorter one can't be distinguished from ordinary text.
  static let minimumLength = 4

  init(_ credentials: Credentials) {
    var spellings: Set<String> = []
    for secret in [credentials.apiKey, credentials.weatherToken].compactMap({ $0 })
    where secret.utf8.count >= Self.minimumLength {
      var slashed = ""
      for character in secret { slashed += character == "/" ? "\\/" : String(character) }
      spellings.formUnion([secret, WeatherSpec.encoded(secret), slashed])
    }
    // Longest first, because a spelling may contain another.
    self.spellings = spellings.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }.map { Array($0.utf8) }
  }

  /// Whether there are no secrets to search for.
  var isEmpty: Bool { spellings.isEmpty }

  /// Returns the bytes with each secret replaced by asterisks of the same length.
  ///
  /// - Complexity: O(bytes × spellings).
  func filtered(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for spelling in spellings {
      var start = 0
      while let found = Self.first(spelling, in: result, from: start) {
        for index in found..<found + spelling.count { result[index] = UInt8(ascii: "*") }
        start = found + spelling.count
      }
    }
    return result
  }

  func filtered(_ text: String) -> String {
    isEmpty ? text : String(decoding: filtered(Array(text.utf8)), as: UTF8.self)
  }

  func finds(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return spellings.contains { Self.first($0, in: bytes, from: 0) != nil }
  }

  /// Returns the offset of the first occurrence of bytes, from `start` on; nil if there is none.
  static func first(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      wanted.withUnsafeBufferPointer { wanted in
        guard bytes.count - start >= wanted.count else { return nil }
        for index in start...bytes.count - wanted.count where bytes[index] == wanted[0] {
          var length = 1
          while length < wanted.count, bytes[index + length] == wanted[length] { length += 1 }
          if length == wanted.count { return index }
        }
        return nil
      }
    }
  }
}
