import Foundation

extension WeatherResponse {
  /// Returns the same weather in another unit system. Sentences are unchanged, even if they contain distances.
  ///
  /// Numbers aren't rounded. Numbers with the same unit in both systems are unchanged. The conversion of radar
  /// intensity is an estimate (``/Foundation/UnitSpeed/radarIntensity``).
  public func converted(to unit: WeatherUnit) -> WeatherResponse {
    guard unit != self.unit else { return self }
    let conversion = UnitConversion(from: self.unit.system, to: unit.system)
    var response = self
    response.unit = unit
    response.result.realtime = result.realtime.map(conversion.converted)
    response.result.minutely = result.minutely.map(conversion.converted)
    response.result.hourly = result.hourly.map(conversion.converted)
    response.result.daily = result.daily.map(conversion.converted)
    return response
  }
}

/// Converts plain numbers from one unit system to another.
struct UnitConversion {
  let source: WeatherUnitSystem
  let target: WeatherUnitSystem

  init(from source: WeatherUnitSystem, to target: WeatherUnitSystem) {
    self.source = source
    self.target = target
  }

  func value<UnitType: Dimension>(_ value: Double, _ quantity: KeyPath<WeatherUnitSystem, UnitType>) -> Double {
    let (from, to) = (source[keyPath: quantity], target[keyPath: quantity])
    return from == to ? value : Measurement(value: value, unit: from).converted(to: to).value
  }

  func wind(_ wind: WeatherWind) -> WeatherWind {
    WeatherWind(speed: value(wind.speed.value, \.windSpeed), direction: value(wind.direction.value, \.windDirection))
  }

  func converted(_ realtime: Realtime) -> Realtime {
    var realtime = realtime
    realtime.temperature = realtime.temperature.map { value($0, \.temperature) }
    realtime.apparentTemperature = realtime.apparentTemperature.map { value($0, \.temperature) }
    realtime.pressure = realtime.pressure.map { value($0, \.pressure) }
    realtime.humidity = realtime.humidity.map { value($0, \.humidity) }
    realtime.cloudrate = realtime.cloudrate.map { value($0, \.cloudrate) }
    realtime.visibility = realtime.visibility.map { value($0, \.visibility) }
    realtime.wind = realtime.wind.map(wind)
    realtime.precipitation = realtime.precipitation.map {
      Realtime.Precipitation(local: $0.local.map(converted), nearest: $0.nearest.map(converted))
    }
    return realtime
  }

  private func converted(_ precipitation: Realtime.PrecipitationContent) -> Realtime.PrecipitationContent {
    var precipitation = precipitation
    precipitation.intensity = precipitation.intensity.map { value($0, \.realtimePrecipitation) }
    precipitation.distance = precipitation.distance.map { value($0, \.distance) }
    return precipitation
  }

  func converted(_ minutely: Minutely) -> Minutely {
    var minutely = minutely
    minutely.intensity = minutely.intensity?.map { value($0, \.minutelyPrecipitation) }
    minutely.intensityOfNextHour = minutely.intensityOfNextHour?.map { value($0, \.minutelyPrecipitation) }
    return minutely
  }

  func converted(_ hourly: Hourly) -> Hourly {
    func series<UnitType: Dimension>(
      _ values: [Hourly.ValueWithDatetime<Double>]?, _ quantity: KeyPath<WeatherUnitSystem, UnitType>
    ) -> [Hourly.ValueWithDatetime<Double>]? {
      values?.map { $0.map { value($0, quantity) } }
    }
    var hourly = hourly
    hourly.temperature = series(hourly.temperature, \.temperature)
    hourly.apparentTemperature = series(hourly.apparentTemperature, \.temperature)
    hourly.precipitation = series(hourly.precipitation, \.hourlyPrecipitation)
    hourly.cloudrate = series(hourly.cloudrate, \.cloudrate)
    hourly.humidity = series(hourly.humidity, \.humidity)
    hourly.pressure = series(hourly.pressure, \.pressure)
    hourly.visibility = series(hourly.visibility, \.visibility)
    hourly.wind = hourly.wind?.map { $0.map(wind) }
    return hourly
  }

  func converted(_ daily: Daily) -> Daily {
    func series<UnitType: Dimension>(
      _ values: [Daily.AverageAndExtremumWithDate<Double>]?, _ quantity: KeyPath<WeatherUnitSystem, UnitType>
    ) -> [Daily.AverageAndExtremumWithDate<Double>]? {
      values?.map { $0.map { value($0, quantity) } }
    }
    var daily = daily
    daily.temperature = series(daily.temperature, \.temperature)
    daily.temperatureDaytime = series(daily.temperatureDaytime, \.temperature)
    daily.temperatureNighttime = series(daily.temperatureNighttime, \.temperature)
    daily.precipitation = series(daily.precipitation, \.dailyPrecipitation)
    daily.precipitationDaytime = series(daily.precipitationDaytime, \.dailyPrecipitation)
    daily.precipitationNighttime = series(daily.precipitationNighttime, \.dailyPrecipitation)
    daily.cloudrate = series(daily.cloudrate, \.cloudrate)
    daily.humidity = series(daily.humidity, \.humidity)
    daily.pressure = series(daily.pressure, \.pressure)
    daily.visibility = series(daily.visibility, \.visibility)
    daily.wind = daily.wind?.map { $0.map(wind) }
    daily.windDaytime = daily.windDaytime?.map { $0.map(wind) }
    daily.windNighttime = daily.windNighttime?.map { $0.map(wind) }
    return daily
  }
}
