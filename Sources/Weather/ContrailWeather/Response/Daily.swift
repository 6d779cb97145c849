/// `daily`: the daily forecast, in the response's unit system. ``Realtime`` describes the quantities.
public struct Daily: Hashable, Sendable, Codable {
  /// `status`
  public var responseStatus: String?
  /// `astro`: sunrise and sunset.
  public var astronomy: [Astronomy]?
  /// `skycon` of the whole day.
  public var phenomenon: [ValueWithDate<Phenomenon>]?
  /// `skycon_08h_20h`: from 08:00 to 20:00.
  public var phenomenonDaytime: [ValueWithDate<Phenomenon>]?
  /// `skycon_20h_32h`: from 20:00 to 08:00 on the next day.
  public var phenomenonNighttime: [ValueWithDate<Phenomenon>]?
  /// `temperature`
  public var temperature: [AverageAndExtremumWithDate<Double>]?
  /// `temperature_08h_20h`: from 08:00 to 20:00. From v2.6.
  public var temperatureDaytime: [AverageAndExtremumWithDate<Double>]?
  /// `temperature_20h_32h`: from 20:00 to 08:00 on the next day. From v2.6.
  public var temperatureNighttime: [AverageAndExtremumWithDate<Double>]?
  /// `precipitation`. From v2.6, with the probability.
  public var precipitation: [AverageAndExtremumWithDate<Double>]?
  /// `precipitation_08h_20h`: from 08:00 to 20:00. From v2.6.
  public var precipitationDaytime: [AverageAndExtremumWithDate<Double>]?
  /// `precipitation_20h_32h`: from 20:00 to 08:00 on the next day. From v2.6.
  public var precipitationNighttime: [AverageAndExtremumWithDate<Double>]?
  /// `pressure`
  public var pressure: [AverageAndExtremumWithDate<Double>]?
  /// `wind`
  public var wind: [AverageAndExtremumWithDate<WeatherWind>]?
  /// `wind_08h_20h`: from 08:00 to 20:00. From v2.6.
  public var windDaytime: [AverageAndExtremumWithDate<WeatherWind>]?
  /// `wind_20h_32h`: from 20:00 to 08:00 on the next day. From v2.6.
  public var windNighttime: [AverageAndExtremumWithDate<WeatherWind>]?
  /// `cloudrate`
  public var cloudrate: [AverageAndExtremumWithDate<Double>]?
  /// `humidity`
  public var humidity: [AverageAndExtremumWithDate<Double>]?
  /// `dswrf`
  public var dswrf: [AverageAndExtremumWithDate<Double>]?
  /// `visibility`
  public var visibility: [AverageAndExtremumWithDate<Double>]?
  /// `air_quality`
  public var airQuality: AirQuality?
  /// `life_index`: contains all five indices.
  public var lifeIndex: LifeIndex<[IndexWithDescriptionWithDate]>?

  public init() {}

  private enum CodingKeys: String, CodingKey {
    case responseStatus = "status"
    case astronomy = "astro"
    case phenomenon = "skycon"
    case phenomenonDaytime = "skycon_08h_20h"
    case phenomenonNighttime = "skycon_20h_32h"
    case temperature
    case temperatureDaytime = "temperature_08h_20h"
    case temperatureNighttime = "temperature_20h_32h"
    case precipitation
    case precipitationDaytime = "precipitation_08h_20h"
    case precipitationNighttime = "precipitation_20h_32h"
    case pressure
    case wind
    case windDaytime = "wind_08h_20h"
    case windNighttime = "wind_20h_32h"
    case cloudrate
    case humidity
    case dswrf
    case visibility
    case airQuality = "air_quality"
    case lifeIndex = "life_index"
  }
}

extension Daily {
  /// The daily air quality.
  public struct AirQuality: Hashable, Sendable, Codable {
    /// `aqi`: the index by the rules of China and the United States.
    public var aqi: [AverageAndExtremumWithDate<CountryRelated<Double>>]?
    /// `pm25` in µg/m³.
    public var pm25: [AverageAndExtremumWithDate<Double>]?

    public init() {}
  }
}
