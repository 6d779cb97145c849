import ContrailGeodesy
import ContrailWeather

/// Converts the simulated weather to the service's response format, in the requested unit system and language.
struct Forecaster {
  private let world: WeatherWorld
  private let question: WeatherQuestion
  private let now: Int64
  /// The time of the weather.
  private let step: Int64
  private let place: Coordinate
  private let phrases: WeatherPhrases
  /// The offset of local solar time from GMT, in whole hours.
  private let secondsFromGMT: Int
  private let hours: [(time: Int64, air: WeatherWorld.Air)]

  init(world: WeatherWorld, question: WeatherQuestion, now: Int64) {
    self.world = world
    self.question = question
    self.now = now
    step = now - now % WeatherWorld.stepSeconds
    place = question.place.coordinate
    phrases = WeatherPhrases(language: question.language)
    secondsFromGMT = Int((place.longitude / 15).rounded()) * 3600
    let first = step - step % 3600
    let place = place
    let count = question.file == .weather || question.file == .hourly ? question.hours : 12
    hours = (0..<Int64(count)).map { (first + $0 * 3600, world.air(at: place, time: first + $0 * 3600)) }
  }

  var response: WeatherResponse {
    var response = WeatherResponse(unit: .metricV2)
    response.version = question.version
    response.apiStatus = "active"
    response.language = question.language.rawValue
    response.coordinate = place
    response.serverTime = Datetime1970Based(seconds: Double(now))
    response.serverTimeZone = WeatherTimeZone(secondsFromGMT: secondsFromGMT)
    let file = question.file
    let isWhole = file == .weather
    if isWhole || file == .realtime { response.result.realtime = realtime }
    if isWhole || file == .minutely { response.result.minutely = minutely }
    if isWhole || file == .hourly { response.result.hourly = hourly }
    if isWhole || file == .daily { response.result.daily = daily }
    if question.includesAlerts { response.result.alert = alert }
    if isWhole { response.result.keypoint = keypoint }
    response.result.primary = 0
    if question.version == "v2.6" { addValuesOfVersion26(to: &response.result) }
    return response.converted(to: question.unit)
  }

  // MARK: Now

  private var realtime: Realtime {
    let air = world.air(at: place, time: step)
    var realtime = Realtime()
    realtime.responseStatus = "ok"
    realtime.temperature = air.temperature
    realtime.apparentTemperature = Self.apparentTemperature(air)
    realtime.pressure = air.pressure
    realtime.humidity = air.humidity
    realtime.cloudrate = air.cloud
    realtime.phenomenon = WeatherWorld.phenomenon(air)
    realtime.visibility = air.visibility
    realtime.dswrf = air.sunlight
    realtime.wind = WeatherWind(speed: air.windSpeed, direction: air.windDirection)
    realtime.precipitation = Realtime.Precipitation(
      local: .init(intensity: air.precipitation, datasource: "radar"), nearest: nearest(air))
    realtime.airQuality = airQuality(air)
    var index = LifeIndex<IndexWithDescription>()
    index.ultraviolet = item(.number(Double(ultraviolet(air))), ultraviolet(air), .ultravioletNow)
    index.comfort = item(.number(Double(comfort(air.temperature))), comfort(air.temperature), .comfort)
    realtime.lifeIndex = index
    return realtime
  }

  /// Returns the nearest rain or snow to the east, west, north or south within 200 km.
  private func nearest(_ air: WeatherWorld.Air) -> Realtime.PrecipitationContent {
    if air.precipitation > 0 { return .init(intensity: air.precipitation, distance: 0) }
    for kilometres in [50.0, 100, 150, 200] {
      for (north, east) in [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)] {
        let there = Coordinate(
          latitude: min(max(place.latitude + north * kilometres / 111, -90), 90),
          longitude: place.longitude + east * kilometres / 111)
        let intensity = world.air(at: there, time: step).precipitation
        if intensity > 0 { return .init(intensity: intensity, distance: kilometres) }
      }
    }
    return .init(intensity: 0, distance: 10_000)
  }

  private func airQuality(_ air: WeatherWorld.Air) -> AirQuality {
    var quality = AirQuality()
    quality.pm25 = air.pm25
    quality.pm10 = (air.pm25 * 1.6).rounded()
    quality.o3 = (30 + air.sunlight / 12).rounded()
    quality.so2 = 4
    quality.no2 = (air.pm25 * 0.7).rounded()
    quality.co = 0.4
    quality.aqi = aqi(air)
    if question.language == .englishUS || question.language == .englishUK {
      quality.description = CountryRelated(
        chn: air.pm25 < 35 ? "good" : "moderate", usa: air.pm25 < 12 ? "good" : "moderate")
    }
    return quality
  }

  private func aqi(_ air: WeatherWorld.Air) -> CountryRelated<Double> {
    CountryRelated(chn: (air.pm25 * 1.43).rounded(), usa: (air.pm25 * 2.6).rounded())
  }

  private var minutely: Minutely {
    let ends = (0...12).map { world.air(at: place, time: step + Int64($0) * 600).precipitation }
    let minutes = (0..<120).map { minute -> Double in
      let share = Double(minute % 10) / 10
      return Self.rounded(ends[minute / 10] * (1 - share) + ends[minute / 10 + 1] * share, 10_000)
    }
    var minutely = Minutely()
    minutely.responseStatus = "ok"
    minutely.datasource = "radar"
    minutely.description = phrases.nextHours(isWet: minutes.contains { $0 > 0 })
    minutely.probability = (0..<4).map { half in minutes[half * 30..<half * 30 + 30].contains { $0 > 0 } ? 0.9 : 0.05
    }
    minutely.intensity = minutes
    minutely.intensityOfNextHour = Array(minutes.prefix(60))
    return minutely
  }

  private var keypoint: String {
    let sky = hours.map { WeatherWorld.phenomenon($0.air) }
    // The change from day to night isn't a change of the weather.
    let names = sky.map(phrases.name)
    let change = names.indices.first { $0 <= 12 && names[$0] != names[0] }
    return phrases.keypoint(now: sky[0], then: sky[change ?? 0], afterHours: change)
  }

  private var alert: WeatherAlert {
    var alert = WeatherAlert()
    alert.responseStatus = "ok"
    alert.content = []
    guard let (code, issued) = world.warning(at: place, time: step) else { return alert }
    let words = phrases.alert(code)
    var content = WeatherAlert.AlertContent()
    content.publishTime = Datetime1970Based(seconds: Double(issued))
    content.id = "\(code.rawValue)-\(issued)-\(question.place.key)"
    content.status = words.status
    content.adcode = "000000"
    content.location = question.place.key
    content.code = code
    content.source = words.source
    content.title = words.title
    content.description = words.text
    content.coordinate = place
    content.regionID = "unknown"
    content.requestStatus = "ok"
    alert.content = [content]
    return alert
  }

  // MARK: Hours

  private var hourly: Hourly {
    func series<Value>(_ value: (WeatherWorld.Air) -> Value) -> [Hourly.ValueWithDatetime<Value>] {
      hours.map { Hourly.ValueWithDatetime(datetime: datetime($0.time), value: value($0.air)) }
    }
    var hourly = Hourly()
    hourly.responseStatus = "ok"
    hourly.description = keypoint
    hourly.phenomenon = series(WeatherWorld.phenomenon)
    hourly.temperature = series(\.temperature)
    hourly.precipitation = series(\.precipitation)
    hourly.cloudrate = series(\.cloud)
    hourly.humidity = series(\.humidity)
    hourly.pressure = series(\.pressure)
    hourly.wind = hours.map {
      Hourly.ValueWithDatetimeFlat(
        datetime: datetime($0.time), value: WeatherWind(speed: $0.air.windSpeed, direction: $0.air.windDirection))
    }
    hourly.visibility = series(\.visibility)
    hourly.dswrf = series(\.sunlight)
    var quality = Hourly.AirQuality()
    quality.aqi = series(aqi)
    quality.pm25 = series(\.pm25)
    hourly.airQuality = quality
    return hourly
  }

  // MARK: Days

  private typealias Day = (start: Int64, air: [WeatherWorld.Air])

  /// Returns the days with the air of some hours, counted from midnight.
  private func days(_ hours: Range<Int64>) -> [Day] {
    let offset = Int64(secondsFromGMT)
    let midnight = (step + offset) / 86_400 * 86_400 - offset
    return (0..<Int64(question.days)).map { day in
      let start = midnight + day * 86_400
      return (start, hours.map { world.air(at: place, time: start + $0 * 3600) })
    }
  }

  private func spread(
    _ days: [Day], _ value: (WeatherWorld.Air) -> Double
  ) -> [Daily.AverageAndExtremumWithDate<Double>] {
    days.map { Daily.AverageAndExtremumWithDate(date: datetime($0.start), value: Self.spread($0.air.map(value))) }
  }

  private func wind(_ days: [Day]) -> [Daily.AverageAndExtremumWithDate<WeatherWind>] {
    days.map { Daily.AverageAndExtremumWithDate(date: datetime($0.start), value: Self.wind($0.air)) }
  }

  private var daily: Daily {
    let days = days(0..<24)
    func sky(_ hours: Range<Int>) -> [Daily.ValueWithDate<Phenomenon>] {
      days.map { Daily.ValueWithDate(date: datetime($0.start), value: Self.main($0.air[hours])) }
    }
    func levels(_ scale: LifeIndexScale, _ level: (Day) -> Int) -> [Daily.IndexWithDescriptionWithDate] {
      days.map { day in
        Daily.IndexWithDescriptionWithDate(
          date: datetime(day.start), value: item(.text(String(level(day))), level(day), scale))
      }
    }
    func warmest(_ day: Day) -> Double { day.air.map(\.temperature).max() ?? 0 }
    var daily = Daily()
    daily.responseStatus = "ok"
    daily.astronomy = days.map { day in
      let sun = WeatherWorld.sunMinutes(at: place, noon: day.start + 43_200, secondsFromGMT: secondsFromGMT)
      return Daily.Astronomy(
        date: datetime(day.start),
        value: .init(sunrise: .init(minutes: sun.rise), sunset: .init(minutes: sun.set)))
    }
    daily.phenomenon = sky(0..<24)
    daily.phenomenonDaytime = sky(8..<20)
    daily.phenomenonNighttime = sky(20..<24)
    daily.temperature = spread(days, \.temperature)
    daily.precipitation = spread(days, \.precipitation)
    daily.pressure = spread(days, \.pressure)
    daily.wind = wind(days)
    daily.cloudrate = spread(days, \.cloud)
    daily.humidity = spread(days, \.humidity)
    daily.dswrf = spread(days, \.sunlight)
    daily.visibility = spread(days, \.visibility)
    var quality = Daily.AirQuality()
    quality.aqi = days.map { day in
      func country(_ value: (WeatherWorld.Air) -> Double?) -> AverageAndExtremum<Double> {
        Self.spread(day.air.map { value($0) ?? 0 })
      }
      let (chn, usa) = (country { aqi($0).chn }, country { aqi($0).usa })
      return Daily.AverageAndExtremumWithDate(
        date: datetime(day.start),
        value: AverageAndExtremum(
          average: CountryRelated(chn: chn.average, usa: usa.average),
          maximum: CountryRelated(chn: chn.maximum, usa: usa.maximum),
          minimum: CountryRelated(chn: chn.minimum, usa: usa.minimum)))
    }
    quality.pm25 = spread(days, \.pm25)
    daily.airQuality = quality
    var lives = LifeIndex<[Daily.IndexWithDescriptionWithDate]>()
    lives.ultraviolet = levels(.ultravioletOfDay) { day in
      min(1 + Int((day.air.map(\.sunlight).max() ?? 0) / 220), 5)
    }
    lives.comfort = levels(.comfort) { comfort(warmest($0)) }
    lives.carWashing = levels(.carWashing) { day in day.air.contains { $0.precipitation > 0 } ? 4 : 1 }
    lives.coldRisk = levels(.coldRisk) { day in warmest(day) < 5 ? 3 : warmest(day) < 15 ? 2 : 1 }
    lives.dressing = levels(.dressing) { comfort(warmest($0)) * 8 / 13 }
    daily.lifeIndex = lives
    return daily
  }

  private static func spread(_ values: [Double]) -> AverageAndExtremum<Double> {
    AverageAndExtremum(
      average: rounded(values.reduce(0, +) / Double(max(values.count, 1)), 100), maximum: values.max() ?? 0,
      minimum: values.min() ?? 0)
  }

  /// Returns the strongest and the weakest wind, and the average speed with the direction at noon.
  private static func wind(_ air: [WeatherWorld.Air]) -> AverageAndExtremum<WeatherWind> {
    func wind(_ air: WeatherWorld.Air?) -> WeatherWind {
      WeatherWind(speed: air?.windSpeed ?? 0, direction: air?.windDirection ?? 0)
    }
    let sorted = air.sorted { $0.windSpeed < $1.windSpeed }
    let average = spread(air.map(\.windSpeed)).average
    return AverageAndExtremum(
      average: WeatherWind(speed: average, direction: air.dropFirst(12).first?.windDirection ?? 0),
      maximum: wind(sorted.last),
      minimum: wind(sorted.first))
  }

  /// Returns the most severe phenomenon of some hours.
  private static func main(_ air: ArraySlice<WeatherWorld.Air>) -> Phenomenon {
    let wettest = air.max { $0.precipitation < $1.precipitation }
    if let wettest, wettest.precipitation > 0 { return WeatherWorld.phenomenon(wettest) }
    let sorted = air.sorted { $0.cloud < $1.cloud }
    return sorted.isEmpty ? .cloudy : WeatherWorld.phenomenon(sorted[sorted.count / 2])
  }

  // MARK: Version 2.6

  /// Adds the values that v2.6 has beside those of v2.5.
  private func addValuesOfVersion26(to result: inout WeatherResult) {
    if result.hourly != nil {
      result.hourly?.apparentTemperature = hours.map {
        Hourly.ValueWithDatetime(datetime: datetime($0.time), value: Self.apparentTemperature($0.air))
      }
      result.hourly?.precipitation = hours.map {
        Hourly.ValueWithDatetime(
          datetime: datetime($0.time), value: $0.air.precipitation, probability: Self.probability([$0.air]))
      }
    }
    guard result.daily != nil else { return }
    func precipitation(_ days: [Day]) -> [Daily.AverageAndExtremumWithDate<Double>] {
      zip(days, spread(days, \.precipitation)).map { day, value in
        Daily.AverageAndExtremumWithDate(
          date: value.date, value: value.value, probability: Self.probability(day.air))
      }
    }
    // The night ends at 08:00 on the next day.
    let (day, night) = (days(8..<20), days(20..<32))
    result.daily?.precipitation = precipitation(days(0..<24))
    result.daily?.precipitationDaytime = precipitation(day)
    result.daily?.precipitationNighttime = precipitation(night)
    result.daily?.temperatureDaytime = spread(day, \.temperature)
    result.daily?.temperatureNighttime = spread(night, \.temperature)
    result.daily?.windDaytime = wind(day)
    result.daily?.windNighttime = wind(night)
  }

  /// Returns the probability of precipitation in percent: high where there is any, and otherwise by the clouds.
  private static func probability(_ air: [WeatherWorld.Air]) -> Double {
    air.map { $0.precipitation > 0 ? 90 : ($0.cloud * 40).rounded() }.max() ?? 0
  }

  // MARK: Helpers

  private static func apparentTemperature(_ air: WeatherWorld.Air) -> Double {
    rounded(air.temperature - air.windSpeed / 10 + 3 * (air.humidity - 0.5), 10)
  }

  private func datetime(_ time: Int64) -> DatetimeServerType {
    DatetimeServerType(time: Datetime1970Based(seconds: Double(time)).time, secondsFromGMT: secondsFromGMT)
  }

  private func item(_ index: IndexValue, _ level: Int, _ scale: LifeIndexScale) -> IndexWithDescription {
    IndexWithDescription(index: index, description: phrases.level(level, of: scale))
  }

  private func ultraviolet(_ air: WeatherWorld.Air) -> Int { min(Int(air.sunlight / 90), 11) }

  /// Returns the comfort level, from 1 above 38 °C to 11 below −20 °C.
  private func comfort(_ temperature: Double) -> Int {
    let limits = [38.0, 33, 28, 24, 19, 13, 7, 0, -8, -20]
    return 1 + (limits.firstIndex { temperature > $0 } ?? limits.count)
  }

  private static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }
}
