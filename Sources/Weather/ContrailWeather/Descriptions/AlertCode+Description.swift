import Foundation

extension AlertCode {
  /// Returns the type and level of the warning, such as "Lightning, yellow" or "雷电黄色预警".
  public func name(in language: DisplayLanguage) -> String {
    let (type, level) = (type.name(in: language), level.name(in: language))
    return switch language {
    case .english: "\(type), \(level.lowercased())"
    case .simplifiedChinese: "\(type)\(level)预警"
    }
  }

  /// Returns the type and level of the warning, from an app's strings if they contain them.
  ///
  /// The string with the key `alert.format` combines the two, such as `%2$@ alert: %1$@`.
  public func name(in strings: WeatherStrings) -> String {
    let (type, level) = (type.name(in: strings), level.name(in: strings))
    if let format = strings.text(forKey: WeatherStrings.alertFormatKey) {
      return format.replacingOccurrences(of: "%1$@", with: type).replacingOccurrences(of: "%2$@", with: level)
    }
    return switch strings.language {
    case .english: "\(type), \(level.lowercased())"
    case .simplifiedChinese: "\(type)\(level)预警"
    }
  }
}

extension AlertCode.AlertType {
  /// Returns the name of the type.
  public func name(in language: DisplayLanguage) -> String { words.text(in: language) }

  /// Returns the name of the type, from an app's strings if they contain it.
  public func name(in strings: WeatherStrings) -> String { strings.text("alert.type.\(rawValue)", words) }

  var words: Words {
    switch self {
    case .typhoon: Words("Typhoon", "台风")
    case .rainstorm: Words("Rainstorm", "暴雨")
    case .snowstorm: Words("Snowstorm", "暴雪")
    case .coldWave: Words("Cold wave", "寒潮")
    case .gale: Words("Gale", "大风")
    case .sandstorm: Words("Sandstorm", "沙尘暴")
    case .heatWave: Words("Heat wave", "高温")
    case .drought: Words("Drought", "干旱")
    case .lightning: Words("Lightning", "雷电")
    case .hail: Words("Hail", "冰雹")
    case .frost: Words("Frost", "霜冻")
    case .heavyFog: Words("Dense fog", "大雾")
    case .haze: Words("Haze", "霾")
    case .roadIcing: Words("Icy roads", "道路结冰")
    case .wildFire: Words("Forest fire", "森林火险")
    case .thunderGust: Words("Thunderstorm gusts", "雷雨大风")
    case .springDustOutlook: Words("Spring dust outlook", "春季沙尘天气趋势")
    case .dust: Words("Sand and dust", "沙尘")
    case .unlisted(let code): .unlisted(code)
    }
  }
}

extension AlertCode.AlertLevel {
  /// Returns the name of the level's colour.
  public func name(in language: DisplayLanguage) -> String { words.text(in: language) }

  /// Returns the name of the level's colour, from an app's strings if they contain it.
  public func name(in strings: WeatherStrings) -> String { strings.text("alert.level.\(rawValue)", words) }

  var words: Words {
    switch self {
    case .white: Words("White", "白色")
    case .blue: Words("Blue", "蓝色")
    case .yellow: Words("Yellow", "黄色")
    case .orange: Words("Orange", "橙色")
    case .red: Words("Red", "红色")
    case .unlisted(let code): .unlisted(code)
    }
  }
}
