public import ContrailGeodesy

/// An example response for experiments and tests: Jincheng, Shanxi, China, on 14 April 2021.
///
/// The place and the date are those of the service's response that the CaiyunWeather package includes; the weather is
/// invented and fills every field of the model. The response is always the same.
public enum ExampleAnswer {
  /// The place of the example: Jincheng.
  public static let coordinate = Coordinate(latitude: 35.4904, longitude: 112.8641)
  /// The server time of the example: 2021-04-14 09:00 local time in Jincheng, in seconds since 1970.
  public static let serverTimeSeconds = 1_618_362_000
  private static let secondsFromGMT = 28_800

  /// Returns the response in a unit system.
  ///
  /// - Parameters:
  ///   - unit: The unit system of the numbers.
  ///   - version: The version of the API. For `v2.6`, the response also has the values that v2.6 added.
  public static func response(unit: WeatherUnit = .metric, version: String = "v2.5") -> WeatherResponse {
    var response = WeatherResponse(unit: .metricV2)
    response.version = version
    response.apiStatus = "active"
    response.language = WeatherLanguage.englishUS.rawValue
    response.coordinate = coordinate
    response.serverTime = Datetime1970Based(seconds: Double(serverTimeSeconds))
    response.serverTimeZone = WeatherTimeZone(secondsFromGMT: secondsFromGMT)
    response.serverTimeZoneName = "Asia/Shanghai"
    response.result.alert = alert()
    response.result.realtime = realtime()
    response.result.minutely = minutely()
    response.result.hourly = hourly(hours: 48)
    response.result.daily = daily(days: 5)
    response.result.keypoint = "Light rain for the next hour, then dry"
    response.result.primary = 0
    if version == "v2.6" { addValuesOfVersion26(to: &response.result) }
    return response.converted(to: unit)
  }

  private static func alert() -> WeatherAlert {
    var content = WeatherAlert.AlertContent()
    content.publishTime = Datetime1970Based(seconds: Double(serverTimeSeconds - 5400))
    content.id = "example-1"
    content.status = "In force"
    content.adcode = "140500"
    content.location = "Jincheng, Shanxi"
    content.province = "Shanxi"
    content.city = "Jincheng"
    content.county = "None"
    content.code = AlertCode(type: .gale, level: .blue)
    content.source = "An invented weather office"
    content.title = "Blue warning of gales"
    content.description = "Strong northwesterly winds follow the rain. This warning is invented."
    content.coordinate = coordinate
    content.regionID = "unknown"
    content.requestStatus = "ok"
    content.databaseID = "example-1"
    var alert = WeatherAlert()
    alert.responseStatus = "ok"
    alert.content = [content]
    return alert
  }

  private static func realtime() -> Realtime {
    var realtime = Realtime()
    realtime.responseStatus = "ok"
    realtime.temperature = 12.5
    realtime.apparentTemperature = 10.2
    realtime.pressure = 92_050.25
    realtime.humidity = 0.91
    realtime.cloudrate = 0.96
    realtime.phenomenon = .lightRain
    realtime.visibility = 3.2
    realtime.dswrf = 41.5
    realtime.wind = WeatherWind(speed: 14.4, direction: 247.5)
    realtime.precipitation = Realtime.Precipitation(
      local: Realtime.PrecipitationContent(intensity: 0.4, datasource: "radar"),
      nearest: Realtime.PrecipitationContent(intensity: 0.75, distance: 6.5))
    realtime.airQuality = airQuality()
    var lifeIndex = LifeIndex<IndexWithDescription>()
    lifeIndex.ultraviolet = item(.number(1), .ultravioletNow)
    lifeIndex.comfort = item(.number(6), .comfort)
    realtime.lifeIndex = lifeIndex
    return realtime
  }

  private static func airQuality() -> AirQuality {
    var airQuality = AirQuality()
    airQuality.pm25 = 18
    airQuality.pm10 = 25
    airQuality.o3 = 31
    airQuality.so2 = 3
    airQuality.no2 = 22.5
    airQuality.co = 0.4
    airQuality.aqi = CountryRelated(chn: 26, usa: 64)
    airQuality.description = CountryRelated(chn: "good", usa: "moderate")
    return airQuality
  }

  private static func minutely() -> Minutely {
    let minutes = (0..<120).map { minute in Double(max(0, 60 - minute)) / 150 }
    var minutely = Minutely()
    minutely.responseStatus = "ok"
    minutely.datasource = "radar"
    minutely.description = "Light rain for the next hour"
    minutely.probability = [0.9, 0.6, 0.2, 0.05]
    minutely.intensity = minutes
    minutely.intensityOfNextHour = Array(minutes.prefix(60))
    return minutely
  }

  private static func hourly(hours: Int) -> Hourly {
    func series<Value>(_ value: (Int) -> Value) -> [Hourly.ValueWithDatetime<Value>] {
      (0..<hours).map { Hourly.ValueWithDatetime(datetime: hour($0), value: value($0)) }
    }
    var hourly = Hourly()
    hourly.responseStatus = "ok"
    hourly.description = "Light rain until noon, then cloudy, clear at night"
    hourly.phenomenon = series { $0 < 3 ? .lightRain : isDay($0) ? .partlyCloudyDay : .clearNight }
    hourly.temperature = series { 12.5 + 1.5 * wave($0) }
    hourly.precipitation = series { $0 < 3 ? 0.4 - 0.125 * Double($0) : 0 }
    hourly.cloudrate = series { $0 < 3 ? 0.96 : isDay($0) ? 0.5 : 0.1 }
    hourly.humidity = series { 0.91 - 0.0125 * wave($0) }
    hourly.pressure = series { 92_050.25 + 12.5 * Double($0) }
    hourly.wind = (0..<hours).map {
      Hourly.ValueWithDatetimeFlat(
        datetime: hour($0), value: WeatherWind(speed: 14.4 - 0.5 * wave($0), direction: 247.5 + Double($0)))
    }
    hourly.visibility = series { $0 < 3 ? 3.2 : 16 }
    hourly.dswrf = series { isDay($0) ? 41.5 + 10 * wave($0) : 0 }
    var airQuality = Hourly.AirQuality()
    airQuality.aqi = series { CountryRelated(chn: Double(26 + $0 % 5), usa: Double(64 + $0 % 5)) }
    airQuality.pm25 = series { Double(18 + $0 % 5) }
    hourly.airQuality = airQuality
    return hourly
  }

  private static func daily(days: Int) -> Daily {
    func series<Value>(_ value: (Int) -> Value) -> [Daily.ValueWithDate<Value>] {
      (0..<days).map { Daily.ValueWithDate(date: day($0), value: value($0)) }
    }
    func spread<Value>(_ value: (_ day: Int, _ share: Double) -> Value) -> [Daily.AverageAndExtremumWithDate<Value>] {
      (0..<days).map {
        Daily.AverageAndExtremumWithDate(
          date: day($0),
          value: AverageAndExtremum(average: value($0, 0.5), maximum: value($0, 1), minimum: value($0, 0)))
      }
    }
    func levels(_ scale: LifeIndexScale, _ lowest: Int) -> [Daily.IndexWithDescriptionWithDate] {
      (0..<days).map {
        Daily.IndexWithDescriptionWithDate(date: day($0), value: item(.text(String(lowest + $0 % 2)), scale))
      }
    }
    var daily = Daily()
    daily.responseStatus = "ok"
    daily.astronomy = (0..<days).map {
      Daily.Astronomy(
        date: day($0),
        value: Daily.AstronomyContent(
          sunrise: Daily.AstronomyTime(minutes: 357 - $0), sunset: Daily.AstronomyTime(minutes: 1140 + $0)))
    }
    daily.phenomenon = series { $0 == 0 ? .lightRain : .partlyCloudyDay }
    daily.phenomenonDaytime = series { $0 == 0 ? .lightRain : .partlyCloudyDay }
    daily.phenomenonNighttime = series { _ in .clearNight }
    daily.temperature = spread { day, share in 6 + 0.5 * Double(day) + 14 * share }
    daily.precipitation = spread { day, share in day == 0 ? 0.5 * share : 0 }
    daily.pressure = spread { day, share in 91_900 + 100 * Double(day) + 500 * share }
    daily.wind = spread { day, share in WeatherWind(speed: 4 + 16 * share, direction: 240 + Double(day)) }
    daily.cloudrate = spread { _, share in share }
    daily.humidity = spread { _, share in 0.5 + 0.5 * share }
    daily.dswrf = spread { _, share in 320 * share }
    daily.visibility = spread { _, share in 3 + 20 * share }
    var airQuality = Daily.AirQuality()
    airQuality.aqi = spread { day, share in
      CountryRelated(chn: 20 + Double(day) + 20 * share, usa: 40 + Double(day) + 40 * share)
    }
    airQuality.pm25 = spread { day, share in 10 + Double(day) + 16 * share }
    daily.airQuality = airQuality
    var lifeIndex = LifeIndex<[Daily.IndexWithDescriptionWithDate]>()
    lifeIndex.ultraviolet = levels(.ultravioletOfDay, 1)
    lifeIndex.comfort = levels(.comfort, 5)
    lifeIndex.carWashing = levels(.carWashing, 2)
    lifeIndex.coldRisk = levels(.coldRisk, 3)
    lifeIndex.dressing = levels(.dressing, 4)
    daily.lifeIndex = lifeIndex
    return daily
  }

  private static func item(_ index: IndexValue, _ scale: LifeIndexScale) -> IndexWithDescription {
    IndexWithDescription(
      index: index, description: index.level.flatMap { scale.name(ofLevel: $0, in: .english) })
  }

  /// Returns the time `index` hours after the server time.
  private static func hour(_ index: Int) -> DatetimeServerType {
    time(serverTimeSeconds + index * 3600)
  }

  /// Returns midnight of the day `index` days after the server time.
  private static func day(_ index: Int) -> DatetimeServerType {
    time(serverTimeSeconds - 9 * 3600 + index * 86_400)
  }

  private static func time(_ seconds: Int) -> DatetimeServerType {
    DatetimeServerType(time: Datetime1970Based(seconds: Double(seconds)).time, secondsFromGMT: secondsFromGMT)
  }

  /// Returns a triangle wave over a day: 0 in the morning, up to 6 in the afternoon, and back to 0.
  private static func wave(_ hour: Int) -> Double {
    let step = hour % 24
    return Double(step < 12 ? min(step, 12 - step) : 0)
  }

  private static func isDay(_ hour: Int) -> Bool {
    (6..<19).contains((9 + hour) % 24)
  }
}
