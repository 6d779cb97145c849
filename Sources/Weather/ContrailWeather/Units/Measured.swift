public import Foundation

/// A part of a response with its unit system, which provides the numbers as measurements.
///
/// ```
/// let now = response.measured.realtime
/// now?.temperature?.converted(to: .celsius).value
/// now?.wind?.speed.converted(to: .knots)
/// ```
public struct Measured<Content> {
  /// The part with plain numbers.
  public let content: Content
  /// The units of the plain numbers.
  public let system: WeatherUnitSystem

  public init(_ content: Content, in system: WeatherUnitSystem) {
    self.content = content
    self.system = system
  }

  func part<Part>(_ part: Part?) -> Measured<Part>? {
    part.map { Measured<Part>($0, in: system) }
  }
}

extension Measured: Sendable where Content: Sendable {}
extension Measured: Equatable where Content: Equatable {}

extension WeatherResponse {
  /// The weather as measurements.
  public var measured: Measured<WeatherResult> { Measured(result, in: unit.system) }
}

extension Measured where Content == WeatherResult {
  public var realtime: Measured<Realtime>? { part(content.realtime) }
  public var minutely: Measured<Minutely>? { part(content.minutely) }
  public var hourly: Measured<Hourly>? { part(content.hourly) }
  public var daily: Measured<Daily>? { part(content.daily) }
}

extension Measured where Content == Realtime {
  public var temperature: Measurement<UnitTemperature>? { content.temperature?.in(system.temperature) }
  public var apparentTemperature: Measurement<UnitTemperature>? { content.apparentTemperature?.in(system.temperature) }
  public var pressure: Measurement<UnitPressure>? { content.pressure?.in(system.pressure) }
  public var humidity: Measurement<UnitRatio>? { content.humidity?.in(system.humidity) }
  public var cloudrate: Measurement<UnitRatio>? { content.cloudrate?.in(system.cloudrate) }
  public var visibility: Measurement<UnitLength>? { content.visibility?.in(system.visibility) }
  public var dswrf: Measurement<UnitIrradiance>? { content.dswrf?.in(.wattsPerSquareMeter) }
  public var wind: Measured<WeatherWind>? { part(content.wind) }
  public var localPrecipitation: Measured<Realtime.PrecipitationContent>? { part(content.precipitation?.local) }
  public var nearestPrecipitation: Measured<Realtime.PrecipitationContent>? { part(content.precipitation?.nearest) }
  public var airQuality: Measured<AirQuality>? { part(content.airQuality) }
}

extension Measured where Content == Realtime.PrecipitationContent {
  public var intensity: Measurement<UnitSpeed>? { content.intensity?.in(system.realtimePrecipitation) }
  public var distance: Measurement<UnitLength>? { content.distance?.in(system.distance) }
}

extension Measured where Content == WeatherWind {
  public var speed: Measurement<UnitSpeed> { content.speed.value.in(system.windSpeed) }
  public var direction: Measurement<UnitAngle> { content.direction.value.in(system.windDirection) }
  public var beaufort: Beaufort { Beaufort(metersPerSecond: speed.converted(to: .metersPerSecond).value) }
  public var compassPoint: CompassPoint { CompassPoint(degrees: direction.converted(to: .degrees).value) }
}

extension Measured where Content == AirQuality {
  public var pm25: Measurement<UnitConcentrationMass>? { content.pm25?.in(.microgramsPerCubicMeter) }
  public var pm10: Measurement<UnitConcentrationMass>? { content.pm10?.in(.microgramsPerCubicMeter) }
  public var o3: Measurement<UnitConcentrationMass>? { content.o3?.in(.microgramsPerCubicMeter) }
  public var so2: Measurement<UnitConcentrationMass>? { content.so2?.in(.microgramsPerCubicMeter) }
  public var no2: Measurement<UnitConcentrationMass>? { content.no2?.in(.microgramsPerCubicMeter) }
  public var co: Measurement<UnitConcentrationMass>? { content.co?.in(.milligramsPerCubicMeter) }
}

extension Measured where Content == Minutely {
  public var probability: [Measurement<UnitRatio>]? { content.probability?.map { $0.in(.ratio) } }
  public var intensity: [Measurement<UnitSpeed>]? { content.intensity?.map { $0.in(system.minutelyPrecipitation) } }
  public var intensityOfNextHour: [Measurement<UnitSpeed>]? {
    content.intensityOfNextHour?.map { $0.in(system.minutelyPrecipitation) }
  }
}

extension Measured where Content == Hourly {
  /// Hourly measurements.
  public typealias Series<UnitType: Dimension> = [Hourly.ValueWithDatetime<Measurement<UnitType>>]

  public var temperature: Series<UnitTemperature>? { series(content.temperature, system.temperature) }
  public var apparentTemperature: Series<UnitTemperature>? { series(content.apparentTemperature, system.temperature) }
  public var precipitation: Series<UnitSpeed>? { series(content.precipitation, system.hourlyPrecipitation) }
  /// The probability of precipitation. Hours without one are omitted; v2.5 has none.
  public var precipitationProbability: Series<UnitRatio>? {
    content.precipitation?.compactMap { hour in
      hour.probability.map { Hourly.ValueWithDatetime(datetime: hour.datetime, value: $0.in(.percent)) }
    }
  }
  public var cloudrate: Series<UnitRatio>? { series(content.cloudrate, system.cloudrate) }
  public var humidity: Series<UnitRatio>? { series(content.humidity, system.humidity) }
  public var pressure: Series<UnitPressure>? { series(content.pressure, system.pressure) }
  public var visibility: Series<UnitLength>? { series(content.visibility, system.visibility) }
  public var dswrf: Series<UnitIrradiance>? { series(content.dswrf, .wattsPerSquareMeter) }
  public var pm25: Series<UnitConcentrationMass>? { series(content.airQuality?.pm25, .microgramsPerCubicMeter) }
  public var wind: [Hourly.ValueWithDatetimeFlat<Measured<WeatherWind>>]? {
    content.wind?.map { $0.map { Measured<WeatherWind>($0, in: system) } }
  }

  private func series<UnitType: Dimension>(
    _ values: [Hourly.ValueWithDatetime<Double>]?, _ unit: UnitType
  ) -> Series<UnitType>? {
    values?.map { $0.map { $0.in(unit) } }
  }
}

extension Measured where Content == Daily {
  /// Daily measurements.
  public typealias DailySeries<UnitType: Dimension> = [Daily.AverageAndExtremumWithDate<Measurement<UnitType>>]

  public var temperature: DailySeries<UnitTemperature>? { series(content.temperature, system.temperature) }
  public var temperatureDaytime: DailySeries<UnitTemperature>? {
    series(content.temperatureDaytime, system.temperature)
  }
  public var temperatureNighttime: DailySeries<UnitTemperature>? {
    series(content.temperatureNighttime, system.temperature)
  }
  public var precipitation: DailySeries<UnitSpeed>? { series(content.precipitation, system.dailyPrecipitation) }
  public var precipitationDaytime: DailySeries<UnitSpeed>? {
    series(content.precipitationDaytime, system.dailyPrecipitation)
  }
  public var precipitationNighttime: DailySeries<UnitSpeed>? {
    series(content.precipitationNighttime, system.dailyPrecipitation)
  }
  /// The probability of precipitation on each day. Days without one are omitted; v2.5 has none.
  public var precipitationProbability: [Daily.ValueWithDate<Measurement<UnitRatio>>]? {
    probabilities(content.precipitation)
  }
  /// The probability of precipitation from 08:00 to 20:00.
  public var precipitationProbabilityDaytime: [Daily.ValueWithDate<Measurement<UnitRatio>>]? {
    probabilities(content.precipitationDaytime)
  }
  /// The probability of precipitation from 20:00 to 08:00 on the next day.
  public var precipitationProbabilityNighttime: [Daily.ValueWithDate<Measurement<UnitRatio>>]? {
    probabilities(content.precipitationNighttime)
  }
  public var cloudrate: DailySeries<UnitRatio>? { series(content.cloudrate, system.cloudrate) }
  public var humidity: DailySeries<UnitRatio>? { series(content.humidity, system.humidity) }
  public var pressure: DailySeries<UnitPressure>? { series(content.pressure, system.pressure) }
  public var visibility: DailySeries<UnitLength>? { series(content.visibility, system.visibility) }
  public var dswrf: DailySeries<UnitIrradiance>? { series(content.dswrf, .wattsPerSquareMeter) }
  public var pm25: DailySeries<UnitConcentrationMass>? { series(content.airQuality?.pm25, .microgramsPerCubicMeter) }
  public var wind: [Daily.AverageAndExtremumWithDate<Measured<WeatherWind>>]? { winds(content.wind) }
  public var windDaytime: [Daily.AverageAndExtremumWithDate<Measured<WeatherWind>>]? { winds(content.windDaytime) }
  public var windNighttime: [Daily.AverageAndExtremumWithDate<Measured<WeatherWind>>]? { winds(content.windNighttime) }

  private func winds(
    _ values: [Daily.AverageAndExtremumWithDate<WeatherWind>]?
  ) -> [Daily.AverageAndExtremumWithDate<Measured<WeatherWind>>]? {
    values?.map { $0.map { Measured<WeatherWind>($0, in: system) } }
  }

  private func probabilities(
    _ values: [Daily.AverageAndExtremumWithDate<Double>]?
  ) -> [Daily.ValueWithDate<Measurement<UnitRatio>>]? {
    values?.compactMap { day in
      day.probability.map { Daily.ValueWithDate(date: day.date, value: $0.in(.percent)) }
    }
  }

  private func series<UnitType: Dimension>(
    _ values: [Daily.AverageAndExtremumWithDate<Double>]?, _ unit: UnitType
  ) -> DailySeries<UnitType>? {
    values?.map { $0.map { $0.in(unit) } }
  }
}

extension Double {
  fileprivate func `in`<UnitType: Dimension>(_ unit: UnitType) -> Measurement<UnitType> {
    Measurement(value: self, unit: unit)
  }
}
