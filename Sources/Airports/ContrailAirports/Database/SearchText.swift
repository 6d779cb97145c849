import ContrailAirportData
import Foundation

/// Normalises words for the search: lower case, no diacritics, only letters and digits.
///
/// Both indexing and searching use this code, so differences between the character tables of SQLite and the system
/// don't matter.
enum SearchText {
  /// Letters without a decomposition into a base letter and a mark, with the usual replacements.
  private static let letters: [Unicode.Scalar: String] = [
    "æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "ı": "i", "ĸ": "k", "ŀ": "l", "ə": "e",
  ]

  /// Characters that are removed instead of replaced by a space: "ohare" finds O'Hare.
  private static let apostrophes: Set<Unicode.Scalar> = ["'", "\u{2019}", "\u{02BC}", "`"]

  /// Returns the words of a text, separated by spaces.
  ///
  /// - Complexity: O(*n*).
  static func folded(_ text: String) -> String {
    var text = text
    if let quick = text.withUTF8(foldedASCII) { return quick }
    var result = ""
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: continue
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber, .spacingMark:
        for lower in scalar.properties.lowercaseMapping.unicodeScalars
        where lower.properties.generalCategory != .nonspacingMark {
          result += letters[lower] ?? String(lower)
        }
      default: if !apostrophes.contains(scalar) { result += " " }
      }
    }
    return result
  }

  private static func foldedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) { result in
      var count = 0
      for byte in bytes {
        switch byte {
        case 0x30...0x39, 0x61...0x7a: result[count] = byte
        case 0x41...0x5a: result[count] = byte | 0x20
        case UInt8(ascii: "'"), UInt8(ascii: "`"): continue
        default: result[count] = 0x20
        }
        count += 1
      }
      return count
    }
  }

  /// Returns the indexed words of an airport.
  static func words(name: String, city: String?) -> String {
    guard let city else { return folded(name) }
    return "\(folded(name)) \(folded(city))"
  }

  /// Returns an FTS5 query that matches all words as prefixes, or `nil` if there are no words.
  static func query(_ text: String) -> String? {
    let words = folded(text).split(separator: " ").prefix(maximumWords)
    return words.isEmpty ? nil : words.map { "\"\($0)\" *" }.joined(separator: " ")
  }

  private static let maximumWords = 16
}
