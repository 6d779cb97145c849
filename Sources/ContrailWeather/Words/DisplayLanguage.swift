/// The languages in which this library itself has words: for codes, wind and life indices.
///
/// Each code's words stand in a `switch` over all codes, so that a missing one doesn't compile.
public enum DisplayLanguage: String, Hashable, Sendable, CaseIterable, Codable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"

  /// The language for a request's: simplified Chinese for both kinds of Chinese, else English.
  public init(_ language: WeatherLanguage) {
    switch language {
    case .chineseSimplified, .chineseTraditional: self = .simplifiedChinese
    case .englishUS, .englishUK, .japanese: self = .english
    }
  }
}

/// Words in all languages.
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

  /// The words for a code that isn't known.
  static func unlisted(_ code: String) -> Words {
    Words("Unknown (\(code))", "未知（\(code)）")
  }
}
