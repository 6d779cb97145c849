import ContrailGeodesy
import ContrailWeather
import ContrailWire

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The weather of the simulated world as a pure function of seed, place and time.
///
/// The weather is plausible, not realistic, and forecasts are always correct. Pressure systems and humid or dry air
/// move across the earth, and the temperature follows the sun.
struct WeatherWorld: Sendable {
  let noise: Noise
  let draw: SeededRandom

  init(seed: UInt64) {
    noise = Noise(seed: seed)
    draw = SeededRandom(seed: seed, .weather)
  }

  /// The state of the air at a place and time, in the units of `metric:v2`.
  struct Air {
    /// The temperature in degrees Celsius.
    var temperature: Double
    /// The pressure in pascals.
    var pressure: Double
    /// The relative humidity, from 0 to 1.
    var humidity: Double
    /// The cloud cover, from 0 to 1.
    var cloud: Double
    /// The rain or snow in mm/h.
    var precipitation: Double
    /// The wind speed in km/h.
    var windSpeed: Double
    /// The direction from which the wind blows, in degrees.
    var windDirection: Double
    /// The visibility in kilometres.
    var visibility: Double
    /// The solar radiation in W/m².
    var sunlight: Double
    /// The concentration of fine particles in µg/m³.
    var pm25: Double
    var isDay: Bool
  }

  /// Returns the state of the air.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - time: The time in seconds since 1970.
  func air(at place: Coordinate, time: Int64) -> Air {
    let direction = GreatCircle.direction(latitude: place.latitude, longitude: place.longitude)
    let hours = Double(time) / 3600
    // Layers from 100 on. Lower layers are used for turbulence.
    func smooth(_ scale: Double, hours period: Double, _ layer: UInt64) -> Double {
      noise.value(direction * scale, time: hours / period, layer: layer)
    }
    let wet = noise.patches(direction * 9, time: hours / 5, layer: 100, threshold: 0.5)
    let cloud = min(max(smooth(11, hours: 6, 104) * 1.3 - 0.2 + wet * 2, 0), 1)
    let sun = Self.sunElevationSine(at: place, time: time)
    let season = Self.declinationDegrees(time: time)
    let warmth = 29 - 0.45 * abs(place.latitude - 0.6 * season) + 4 * sun * (1 - 0.6 * cloud)
    let temperature = warmth + (smooth(6, hours: 30, 106) - 0.5) * 12
    let windSpeed = 4 + 70 * pow(smooth(8, hours: 9, 108), 2) + 25 * wet
    let humidity = min(max(0.6 + 0.6 * wet + 0.3 * (smooth(13, hours: 8, 112) - 0.5) - 0.15 * max(sun, 0), 0.08), 1)
    let isMisty = humidity > 0.9 && windSpeed < 12
    return Air(
      temperature: Self.rounded(temperature, 100),
      pressure: Self.rounded(101_325 + (smooth(5, hours: 20, 114) - 0.5) * 6000 - 1500 * wet, 100),
      humidity: Self.rounded(humidity, 100), cloud: Self.rounded(cloud, 100),
      precipitation: wet > 0.02 ? Self.rounded(0.08 + 40 * wet * wet, 10_000) : 0,
      windSpeed: Self.rounded(windSpeed, 100),
      windDirection: Self.rounded((smooth(4, hours: 24, 110) * 720).truncatingRemainder(dividingBy: 360), 100),
      visibility: Self.rounded(isMisty ? 0.8 : max(24 - 40 * wet - 8 * max(humidity - 0.7, 0), 1), 100),
      sunlight: Self.rounded(max(sun, 0) * 1000 * (1 - 0.7 * cloud * cloud), 10),
      pm25: max(8 + 70 * pow(smooth(7, hours: 40, 116), 2) - 20 * wet, 2).rounded(), isDay: sun > -0.0145)
  }

  private static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

  // MARK: Sun

  /// Returns the declination of the sun in degrees north, as a cosine over the year. The error is about a degree.
  static func declinationDegrees(time: Int64) -> Double {
    let days = Double(time) / 86_400
    return -23.44 * cos((days + 10.5) / 365.2425 * 2 * .pi)
  }

  /// Returns the sine of the sun's elevation.
  private static func sunElevationSine(at place: Coordinate, time: Int64) -> Double {
    let radian = Double.pi / 180
    let declination = declinationDegrees(time: time) * radian
    let hourAngle = (Double(time % 86_400) / 240 - 180 + place.longitude) * radian
    let latitude = place.latitude * radian
    return sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle)
  }

  /// Returns the minutes from local midnight to sunrise and sunset: the whole day if the sun doesn't set, noon twice
  /// if it doesn't rise.
  static func sunMinutes(at place: Coordinate, noon: Int64, secondsFromGMT: Int) -> (rise: Int, set: Int) {
    let radian = Double.pi / 180
    let tangents = tan(place.latitude * radian) * tan(declinationDegrees(time: noon) * radian)
    // Refraction and the sun's radius, as about half a degree in the cosine.
    let cosine = min(max(-tangents - 0.0145, -1), 1)
    let half = acos(cosine) / radian * 4
    let zone = Double(secondsFromGMT) / 60 - place.longitude * 4
    let middle = 720 + zone
    return (Int(max(middle - half, 0)), Int(min(middle + half, 1439)))
  }
}

extension WeatherWorld {
  /// The time in seconds during which the weather of a place doesn't change, so that conditional requests are useful.
  static let stepSeconds: Int64 = 600

  /// Returns an ETag for a response without its time.
  func entityTag(for question: WeatherQuestion, now: Int64) -> String {
    var parts = [
      question.place.key, question.file.rawValue, question.language.rawValue, question.unit.rawValue,
      "\(question.includesAlerts)", "\(question.hours)", "\(question.days)", "\(now / Self.stepSeconds)",
    ]
    if question.version != "v2.5" { parts.append(question.version) }
    return Hex.string(Digest.mix(draw.bits(0) ^ Digest.hash(parts.joined(separator: "|").utf8)))
  }

  /// Returns the response to a request at a time in seconds since 1970.
  ///
  /// - Complexity: O(*hours* + *days*).
  func answer(_ question: WeatherQuestion, now: Int64) -> WeatherResponse {
    Forecaster(world: self, question: question, now: now).response
  }

  /// Returns the phenomenon for the state of the air.
  static func phenomenon(_ air: Air) -> Phenomenon {
    if air.precipitation > 0 {
      let isSnow = air.temperature < 0.5
      switch air.precipitation {
      case ..<2.5: return isSnow ? .lightSnow : .lightRain
      case ..<8: return isSnow ? .moderateSnow : .moderateRain
      case ..<16: return isSnow ? .heavySnow : .heavyRain
      default: return isSnow ? .stormSnow : .stormRain
      }
    }
    if air.visibility < 1 { return .fog }
    switch air.cloud {
    case ..<0.2: return air.isDay ? .clearDay : .clearNight
    case ...0.8: return air.isDay ? .partlyCloudyDay : .partlyCloudyNight
    default: return .cloudy
    }
  }

  /// Returns the warning for a place in the six-hour period that contains a time: for the weather in the period, or a
  /// random wind warning.
  func warning(at place: Coordinate, time: Int64) -> (code: AlertCode, issued: Int64)? {
    let start = time / 21_600 * 21_600
    let peak = stride(from: start, to: start + 21_600, by: 3600).map { air(at: place, time: $0) }
    let rain = peak.map(\.precipitation).max() ?? 0
    let wind = peak.map(\.windSpeed).max() ?? 0
    let issued = start - 1800
    if rain >= 8 {
      let isSnow = peak.contains { $0.precipitation >= 8 && $0.temperature < 0.5 }
      return (AlertCode(type: isSnow ? .snowstorm : .rainstorm, level: rain >= 16 ? .orange : .yellow), issued)
    }
    if wind >= 62 { return (AlertCode(type: .gale, level: wind >= 75 ? .orange : .yellow), issued) }
    if peak.contains(where: { $0.visibility < 1 }) { return (AlertCode(type: .heavyFog, level: .yellow), issued) }
    let region = UInt64(bitPattern: Int64(place.latitude.rounded()) * 1000 + Int64(place.longitude.rounded()))
    guard draw.unit(region, UInt64(bitPattern: start)) < 0.05 else { return nil }
    return (AlertCode(type: .gale, level: .blue), issued)
  }
}

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
