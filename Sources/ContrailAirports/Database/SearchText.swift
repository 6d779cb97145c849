import ContrailAirportData
import Foundation

/// Words as they are looked up: lower case, without diacritics, in letters and digits only.
///
/// What indexes and what searches both use this, so that no difference between SQLite's tables and the system's can come between.
enum SearchText {
  /// Letters that are letters of their own, not others with a mark, and what people type who lack them.
  private static let letters: [Unicode.Scalar: String] = [
    "æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "ı": "i", "ĸ": "k", "ŀ": "l", "ə": "e",
  ]

  /// Left out, not taken for a space: who looks for O'Hare types "ohare".
  private static let apostrophes: Set<Unicode.Scalar> = ["'", "\u{2019}", "\u{02BC}", "`"]

  /// The words of a text, with a space between.
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

  /// What an airport is found by.
  static func words(name: String, city: String?) -> String {
    guard let city else { return folded(name) }
    return "\(folded(name)) \(folded(city))"
  }

  /// A query for FTS5: all the words, each the beginning of one; nil if there is none.
  static func query(_ text: String) -> String? {
    let words = folded(text).split(separator: " ").prefix(maximumWords)
    return words.isEmpty ? nil : words.map { "\"\($0)\" *" }.joined(separator: " ")
  }

  private static let maximumWords = 16
}
