import ContrailGeodesy

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
