/// `skycon`: the weather phenomenon.
///
/// If several occur at once, the service reports one, in this order: snow, rain, fog, sand, dust, haze, wind, overcast,
/// partly cloudy, clear.
///
/// Source: docs.caiyunapp.com/weather-api/v2/v2.4/tables/skycon.html (unchanged in v2.5).
public enum Phenomenon: ServiceCode {
  /// Cloud cover below 0.2, by day.
  case clearDay
  /// Cloud cover below 0.2, by night.
  case clearNight
  /// Cloud cover 0.2…0.8, by day.
  case partlyCloudyDay
  /// Cloud cover 0.2…0.8, by night.
  case partlyCloudyNight
  /// Cloud cover above 0.8.
  case cloudy
  /// PM2.5 100…150 µg/m³.
  case lightHaze
  /// PM2.5 150…200 µg/m³.
  case moderateHaze
  /// PM2.5 above 200 µg/m³.
  case heavyHaze
  case lightRain
  case moderateRain
  case heavyRain
  case stormRain
  case fog
  case lightSnow
  case moderateSnow
  case heavySnow
  case stormSnow
  /// Floating dust: dry, polluted air, wind below 6 m/s.
  case dust
  /// Blowing dust: dry, polluted air, wind above 6 m/s.
  case sand
  case wind
  /// A code that the documentation doesn't list.
  case unlisted(String)

  public static let listed: [Phenomenon] = [
    .clearDay, .clearNight, .partlyCloudyDay, .partlyCloudyNight, .cloudy, .lightHaze, .moderateHaze, .heavyHaze,
    .lightRain, .moderateRain, .heavyRain, .stormRain, .fog, .lightSnow, .moderateSnow, .heavySnow, .stormSnow,
    .dust, .sand, .wind,
  ]

  public var rawValue: String {
    switch self {
    case .clearDay: "CLEAR_DAY"
    case .clearNight: "CLEAR_NIGHT"
    case .partlyCloudyDay: "PARTLY_CLOUDY_DAY"
    case .partlyCloudyNight: "PARTLY_CLOUDY_NIGHT"
    case .cloudy: "CLOUDY"
    case .lightHaze: "LIGHT_HAZE"
    case .moderateHaze: "MODERATE_HAZE"
    case .heavyHaze: "HEAVY_HAZE"
    case .lightRain: "LIGHT_RAIN"
    case .moderateRain: "MODERATE_RAIN"
    case .heavyRain: "HEAVY_RAIN"
    case .stormRain: "STORM_RAIN"
    case .fog: "FOG"
    case .lightSnow: "LIGHT_SNOW"
    case .moderateSnow: "MODERATE_SNOW"
    case .heavySnow: "HEAVY_SNOW"
    case .stormSnow: "STORM_SNOW"
    case .dust: "DUST"
    case .sand: "SAND"
    case .wind: "WIND"
    case .unlisted(let spelling): spelling
    }
  }
}
