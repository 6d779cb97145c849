import ContrailWeather

/// The sentences of the weather service in its five languages.
struct WeatherPhrases {
  let language: WeatherLanguage

  /// Returns the library's name if it supports the language, otherwise a name from this type.
  func name(_ phenomenon: Phenomenon) -> String {
    switch language {
    case .englishUS, .englishUK: phenomenon.name(in: .english)
    case .chineseSimplified: phenomenon.name(in: .simplifiedChinese)
    case .chineseTraditional: Self.words[phenomenon]?.traditional ?? phenomenon.name(in: .simplifiedChinese)
    case .japanese: Self.words[phenomenon]?.japanese ?? phenomenon.name(in: .english)
    }
  }

  /// The phenomena of the simulated world in traditional Chinese and Japanese.
  private static let words: [Phenomenon: (traditional: String, japanese: String)] = [
    .clearDay: ("晴", "晴れ"), .clearNight: ("晴", "晴れ"), .partlyCloudyDay: ("多雲", "晴れ時々曇り"),
    .partlyCloudyNight: ("多雲", "晴れ時々曇り"), .cloudy: ("陰", "曇り"), .lightRain: ("小雨", "小雨"),
    .moderateRain: ("中雨", "雨"), .heavyRain: ("大雨", "大雨"), .stormRain: ("暴雨", "暴風雨"), .fog: ("霧", "霧"),
    .lightSnow: ("小雪", "小雪"), .moderateSnow: ("中雪", "雪"), .heavySnow: ("大雪", "大雪"), .stormSnow: ("暴雪", "吹雪"),
  ]

  /// Returns a sentence about the current sky and its next change.
  func keypoint(now: Phenomenon, then: Phenomenon, afterHours hours: Int?) -> String {
    let (now, then) = (name(now), name(then))
    guard let hours else {
      return switch language {
      case .englishUS, .englishUK: "\(now), and no change for now"
      case .chineseSimplified: "\(now)，暂无变化"
      case .chineseTraditional: "\(now)，暫無變化"
      case .japanese: "\(now)、しばらく変化なし"
      }
    }
    return switch language {
    case .englishUS, .englishUK: "\(now), then \(then.lowercased()) in \(hours) h"
    case .chineseSimplified: "现在\(now)，\(hours)小时后\(then)"
    case .chineseTraditional: "現在\(now)，\(hours)小時後\(then)"
    case .japanese: "現在は\(now)、\(hours)時間後に\(then)"
    }
  }

  /// Returns a sentence about rain or snow within two hours.
  func nextHours(isWet: Bool) -> String {
    switch language {
    case .englishUS, .englishUK: isWet ? "Rain or snow within two hours" : "Dry for the next two hours"
    case .chineseSimplified: isWet ? "未来两小时有雨雪" : "未来两小时无降水"
    case .chineseTraditional: isWet ? "未來兩小時有雨雪" : "未來兩小時無降水"
    case .japanese: isWet ? "2時間以内に雨または雪" : "今後2時間は降水なし"
    }
  }

  /// Returns the title, text, status and source of a warning.
  func alert(_ code: AlertCode) -> (title: String, text: String, status: String, source: String) {
    switch language {
    case .englishUS, .englishUK:
      (code.name(in: .english), "This warning is of a simulated world.", "In force", "An invented weather office")
    case .chineseSimplified: (code.name(in: .simplifiedChinese), "此预警来自模拟世界。", "预警中", "虚构气象台")
    case .chineseTraditional: ("\(Self.type(code).traditional)預警", "此預警來自模擬世界。", "預警中", "虛構氣象臺")
    case .japanese: ("\(Self.type(code).japanese)警報", "この警報は模擬世界のものです。", "発表中", "架空の気象台")
    }
  }

  private static func type(_ code: AlertCode) -> (traditional: String, japanese: String) {
    switch code.type {
    case .gale: ("大風", "強風")
    case .rainstorm: ("暴雨", "大雨")
    case .snowstorm: ("暴雪", "大雪")
    case .heavyFog: ("大霧", "濃霧")
    default: ("天氣", "気象")
    }
  }

  /// Returns the name of a life index level, or `nil` if the library doesn't support the language.
  func level(_ level: Int, of scale: LifeIndexScale) -> String? {
    switch language {
    case .englishUS, .englishUK: scale.name(ofLevel: level, in: .english)
    case .chineseSimplified: scale.name(ofLevel: level, in: .simplifiedChinese)
    case .chineseTraditional, .japanese: nil
    }
  }
}
