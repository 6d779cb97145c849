public import Foundation

/// The units of a unit system of the service.
public struct WeatherUnitSystem: Hashable, Sendable {
  /// The unit of `realtime.precipitation`.
  public let realtimePrecipitation: UnitSpeed
  /// The unit of `minutely.precipitation_2h`.
  public let minutelyPrecipitation: UnitSpeed
  /// The unit of `hourly.precipitation`.
  public let hourlyPrecipitation: UnitSpeed
  /// The unit of `daily.precipitation`.
  public let dailyPrecipitation: UnitSpeed
  /// The unit of the distance of precipitation.
  public let distance: UnitLength
  public let temperature: UnitTemperature
  /// Pascals in all systems.
  public let pressure: UnitPressure
  /// 0…1 in all systems.
  public let humidity: UnitRatio
  /// Clockwise from north.
  public let windDirection: UnitAngle
  public let windSpeed: UnitSpeed
  /// 0…1 in all systems.
  public let cloudrate: UnitRatio
  public let visibility: UnitLength

  private init(
    precipitationNow: UnitSpeed, precipitationForecast: UnitSpeed, length: UnitLength, temperature: UnitTemperature,
    angle: UnitAngle = .degrees, speed: UnitSpeed
  ) {
    realtimePrecipitation = precipitationNow
    minutelyPrecipitation = precipitationNow
    hourlyPrecipitation = precipitationForecast
    dailyPrecipitation = precipitationForecast
    distance = length
    self.temperature = temperature
    pressure = .newtonsPerMetersSquared
    humidity = .ratio
    windDirection = angle
    windSpeed = speed
    cloudrate = .ratio
    visibility = length
  }

  static let metric = WeatherUnitSystem(
    precipitationNow: .radarIntensity, precipitationForecast: .millimetersPerHour, length: .kilometers,
    temperature: .celsius, speed: .kilometersPerHour)
  static let metricV1 = WeatherUnitSystem(
    precipitationNow: .radarIntensity, precipitationForecast: .forecastRadarIntensity, length: .kilometers,
    temperature: .celsius, speed: .kilometersPerHour)
  static let metricV2 = WeatherUnitSystem(
    precipitationNow: .millimetersPerHour, precipitationForecast: .millimetersPerHour, length: .kilometers,
    temperature: .celsius, speed: .kilometersPerHour)
  static let imperial = WeatherUnitSystem(
    precipitationNow: .inchesPerHour, precipitationForecast: .inchesPerHour, length: .miles,
    temperature: .fahrenheit, speed: .milesPerHour)
  static let si = WeatherUnitSystem(
    precipitationNow: .metersPerSecond, precipitationForecast: .metersPerSecond, length: .meters,
    temperature: .kelvin, angle: .radians, speed: .metersPerSecond)
}
