extension Phenomenon {
  /// Returns the name of the phenomenon.
  public func name(in language: DisplayLanguage) -> String { words.text(in: language) }

  /// Returns the name of the phenomenon, from an app's strings if they contain it.
  public func name(in strings: WeatherStrings) -> String { strings.text("phenomenon.\(rawValue)", words) }

  var words: Words {
    switch self {
    case .clearDay: Words("Clear", "晴")
    case .clearNight: Words("Clear", "晴")
    case .partlyCloudyDay: Words("Partly cloudy", "多云")
    case .partlyCloudyNight: Words("Partly cloudy", "多云")
    case .cloudy: Words("Overcast", "阴")
    case .lightHaze: Words("Light haze", "轻度雾霾")
    case .moderateHaze: Words("Moderate haze", "中度雾霾")
    case .heavyHaze: Words("Heavy haze", "重度雾霾")
    case .lightRain: Words("Light rain", "小雨")
    case .moderateRain: Words("Moderate rain", "中雨")
    case .heavyRain: Words("Heavy rain", "大雨")
    case .stormRain: Words("Rainstorm", "暴雨")
    case .fog: Words("Fog", "雾")
    case .lightSnow: Words("Light snow", "小雪")
    case .moderateSnow: Words("Moderate snow", "中雪")
    case .heavySnow: Words("Heavy snow", "大雪")
    case .stormSnow: Words("Snowstorm", "暴雪")
    case .dust: Words("Floating dust", "浮尘")
    case .sand: Words("Blowing sand", "沙尘")
    case .wind: Words("High wind", "大风")
    case .unlisted(let code): .unlisted(code)
    }
  }
}
