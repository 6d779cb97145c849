public import Foundation

extension WeatherLanguage {
  /// The service's language that the user prefers most.
  public static var current: WeatherLanguage { preferred(among: Locale.preferredLanguages) }

  /// Returns the language of the service for the first language that it has; US English if it has none.
  ///
  /// - Parameter identifiers: Language tags such as `zh-Hant-TW` or `en_GB`, most preferred first.
  public static func preferred(among identifiers: [String]) -> WeatherLanguage {
    identifiers.lazy.compactMap(Self.matching).first ?? .englishUS
  }

  /// Creates the language of a locale; US English if the service doesn't have it.
  public init(locale: Locale) {
    self = Self.preferred(among: [locale.identifier])
  }

  /// Returns the language of the service for a language tag, such as `zh-Hant-TW`; nil if the service doesn't have it.
  ///
  /// Chinese is traditional in the script `Hant`, and without a script in Taiwan, Hong Kong and Macao. English is
  /// British except in the United States, its territories, Canada and the Philippines, and without a region.
  public static func matching(_ identifier: String) -> WeatherLanguage? {
    let parts = identifier.prefix { $0 != "@" && $0 != "." }.split(whereSeparator: { "-_".contains($0) })
    // A single letter begins an extension, such as a calendar.
    let tags = parts.dropFirst().prefix { $0.count > 1 }.map { $0.uppercased() }
    switch parts.first?.lowercased() {
    case "zh":
      let isTraditional =
        tags.contains("HANT") || (!tags.contains("HANS") && tags.contains { ["TW", "HK", "MO"].contains($0) })
      return isTraditional ? .chineseTraditional : .chineseSimplified
    case "en":
      let region = tags.first { $0.count == 2 }
      return ["US", "CA", "PH", "PR", "GU", "AS", "MP", "VI", "UM"].contains(region ?? "US") ? .englishUS : .englishUK
    case "ja": return .japanese
    default: return nil
    }
  }
}
