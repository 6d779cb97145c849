/// The languages of the service's descriptions.
///
/// Source of the codes: Caiyun weather API v2.5, table "lang" (docs.caiyunapp.com/docs/v2.5/tables/lang).
public enum WeatherLanguage: String, Hashable, Sendable, Codable, CaseIterable {
  case chineseSimplified = "zh_CN"
  case chineseTraditional = "zh_TW"
  case englishUS = "en_US"
  case englishUK = "en_GB"
  case japanese = "ja"
}
