/// The languages of this library's own names for codes, wind and life indices.
///
/// An app overrides the names, or adds languages, with ``WeatherStrings``. The names are in `switch` statements over all codes, so that a missing one is a compile-time error.
public enum DisplayLanguage: String, Hashable, Sendable, CaseIterable, Codable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"

  /// Creates the display language for a request's language: simplified Chinese for both Chinese variants, otherwise
  /// English.
  public init(_ language: WeatherLanguage) {
    switch language {
    case .chineseSimplified, .chineseTraditional: self = .simplifiedChinese
    case .englishUS, .englishUK, .japanese: self = .english
    }
  }

  /// Returns the display language for a language tag, such as `zh-Hant-TW`: simplified Chinese for Chinese, otherwise
  /// English.
  public static func matching(_ identifier: String) -> DisplayLanguage {
    return
      identifier.split(whereSeparator: { "-_".contains($0) }).first?.lowercased() == "zh"
      ? .simplifiedChinese : .english
  }
}

/// A text in all languages.
struct Words {
  let english: String
  let simplifiedChinese: String

  init(_ english: String, _ simplifiedChinese: String) {
    self.english = english
    self.simplifiedChinese = simplifiedChinese
  }

  func text(in language: DisplayLanguage) -> String {
    switch language {
    case .english: english
    case .simplifiedChinese: simplifiedChinese
    }
  }

  /// Returns the text for an unknown code.
  static func unlisted(_ code: String) -> Words {
    Words("Unknown (\(code))", "未知（\(code)）")
  }
}
