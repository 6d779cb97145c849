/// The scales of the life indices.
///
/// Source of the levels: docs.caiyunapp.com/docs/tables/lifeindex.
public enum LifeIndexScale: String, Hashable, Sendable, CaseIterable {
  /// `realtime.life_index.ultraviolet`: the UV index, 0…11.
  case ultravioletNow
  /// `daily.life_index.ultraviolet`: 1…5.
  case ultravioletOfDay
  /// `comfort`: 0…13.
  case comfort
  /// `carWashing`: 1…4.
  case carWashing
  /// `coldRisk`: the risk of catching a cold, 1…4.
  case coldRisk
  /// `dressing`: the warmth with regard to clothing, 0…8.
  case dressing

  /// The levels of the scale.
  public var levels: ClosedRange<Int> { lowestLevel...(lowestLevel + levelWords.count - 1) }

  /// Returns the name of the scale.
  public func name(in language: DisplayLanguage) -> String { nameWords.text(in: language) }

  /// Returns the name of the scale, from an app's strings if they contain it.
  public func name(in strings: WeatherStrings) -> String { strings.text("lifeIndex.\(rawValue)", nameWords) }

  /// Returns the name of a level; nil if it is not on the scale.
  public func name(ofLevel level: Int, in language: DisplayLanguage) -> String? {
    guard levels.contains(level) else { return nil }
    return levelWords[level - lowestLevel].text(in: language)
  }

  /// Returns the name of a level, from an app's strings if they contain it; nil if the level is not on the scale.
  public func name(ofLevel level: Int, in strings: WeatherStrings) -> String? {
    guard levels.contains(level) else { return nil }
    return strings.text("lifeIndex.\(rawValue).\(level)", levelWords[level - lowestLevel])
  }

  var lowestLevel: Int {
    switch self {
    case .ultravioletNow, .comfort, .dressing: 0
    case .ultravioletOfDay, .carWashing, .coldRisk: 1
    }
  }

  var nameWords: Words {
    switch self {
    case .ultravioletNow, .ultravioletOfDay: Words("Ultraviolet", "紫外线")
    case .comfort: Words("Comfort", "舒适度")
    case .carWashing: Words("Car washing", "洗车")
    case .coldRisk: Words("Risk of a cold", "感冒")
    case .dressing: Words("Dressing", "穿衣")
    }
  }

  var levelWords: [Words] {
    switch self {
    case .ultravioletNow: Self.ultravioletNowWords
    case .ultravioletOfDay: Self.ultravioletOfDayWords
    case .comfort: Self.comfortWords
    case .carWashing: Self.carWashingWords
    case .coldRisk: Self.coldRiskWords
    case .dressing: Self.dressingWords
    }
  }

  private static let ultravioletNowWords = [
    Words("None", "无"), Words("Very weak", "很弱"), Words("Very weak", "很弱"), Words("Weak", "弱"), Words("Weak", "弱"),
    Words("Moderate", "中等"), Words("Moderate", "中等"), Words("Strong", "强"), Words("Strong", "强"),
    Words("Strong", "强"), Words("Very strong", "很强"), Words("Extreme", "极强"),
  ]
  private static let ultravioletOfDayWords = [
    Words("Weakest", "最弱"), Words("Weak", "弱"), Words("Moderate", "中等"), Words("Strong", "强"),
    Words("Very strong", "很强"),
  ]
  private static let comfortWords = [
    Words("Sultry", "闷热"), Words("Scorching", "酷热"), Words("Very hot", "很热"), Words("Hot", "热"), Words("Warm", "温暖"),
    Words("Comfortable", "舒适"), Words("Cool", "凉爽"), Words("Cold", "冷"), Words("Very cold", "很冷"),
    Words("Bitterly cold", "寒冷"), Words("Extremely cold", "极冷"), Words("Piercingly cold", "刺骨的冷"),
    Words("Damp and cold", "湿冷"), Words("Dry and cold", "干冷"),
  ]
  private static let carWashingWords = [
    Words("Good", "适宜"), Words("Fairly good", "较适宜"), Words("Fairly poor", "较不适宜"), Words("Poor", "不适宜"),
  ]
  private static let coldRiskWords = [
    Words("Low", "少发"), Words("Moderate", "较易发"), Words("High", "易发"), Words("Very high", "极易发"),
  ]
  private static let dressingWords = [
    Words("Extremely hot", "极热"), Words("Extremely hot", "极热"), Words("Very hot", "很热"), Words("Hot", "热"),
    Words("Warm", "温暖"), Words("Cool", "凉爽"), Words("Cold", "冷"), Words("Bitterly cold", "寒冷"),
    Words("Extremely cold", "极冷"),
  ]
}
