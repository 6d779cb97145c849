import ContrailGeodesy
import ContrailWeather
import ContrailWire

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
