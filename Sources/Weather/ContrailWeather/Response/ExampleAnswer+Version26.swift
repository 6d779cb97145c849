extension ExampleAnswer {
  /// Adds the values that v2.6 has beside those of v2.5.
  static func addValuesOfVersion26(to result: inout WeatherResult) {
    result.alert?.adcodes = [
      WeatherAlert.AdministrativeDivision(adcode: 140_000, name: "Shanxi"),
      WeatherAlert.AdministrativeDivision(adcode: 140_500, name: "Jincheng"),
    ]
    guard var hourly = result.hourly, var daily = result.daily else { return }
    hourly.apparentTemperature = hourly.temperature?.map { $0.map { $0 - 2.5 } }
    hourly.precipitation = hourly.precipitation?.map {
      Hourly.ValueWithDatetime(datetime: $0.datetime, value: $0.value, probability: $0.value > 0 ? 60 : 5)
    }
    daily.precipitation = daily.precipitation?.map {
      Daily.AverageAndExtremumWithDate(date: $0.date, value: $0.value, probability: $0.value.maximum > 0 ? 80 : 10)
    }
    daily.precipitationDaytime = daily.precipitation
    daily.precipitationNighttime = daily.precipitation?.map {
      Daily.AverageAndExtremumWithDate(
        date: $0.date, value: AverageAndExtremum(average: 0, maximum: 0, minimum: 0), probability: 10)
    }
    daily.temperatureDaytime = daily.temperature?.map { $0.map { $0 + 1 } }
    daily.temperatureNighttime = daily.temperature?.map { $0.map { $0 - 3 } }
    daily.windDaytime = daily.wind
    daily.windNighttime = daily.wind?.map {
      $0.map { WeatherWind(speed: $0.speed.value / 2, direction: $0.direction.value) }
    }
    (result.hourly, result.daily) = (hourly, daily)
  }
}
