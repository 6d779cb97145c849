import ContrailGeodesy
import ContrailWeather
import ContrailWire
import Foundation

/// A weather response as text: source, age, warnings, current conditions, hours and days.
struct WeatherSheet {
  private let answer: WeatherAnswer
  /// The response in the requested unit system.
  private let response: WeatherResponse
  private let words: DisplayLanguage
  private let hours: Int
  private let days: Int

  init(_ answer: WeatherAnswer, in unit: WeatherUnit, hours: Int, days: Int) {
    self.answer = answer
    response = answer.response.converted(to: unit)
    words = response.language.flatMap(WeatherLanguage.init).map(DisplayLanguage.init) ?? .english
    self.hours = hours
    self.days = days
  }

  /// Returns the response as one JSON object with `source`, `ageSeconds`, `expired` and `weather`.
  static func json(_ answer: WeatherAnswer, in unit: WeatherUnit) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("source", answer.source.rawValue)
      json.key("ageSeconds")
      if let age = answer.ageSeconds { json.value(Int64(age)) } else { json.null() }
      json.member("expired", answer.isExpired)
      json.key("weather")
      if let data = try? answer.response.converted(to: unit).json() {
        json.verbatim(Array(data))
      } else {
        json.null()
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  var text: String {
    var lines = [head]
    for alert in response.result.alert?.content ?? [] {
      lines.append("WARNING  \(alert.title ?? alert.code?.name(in: words) ?? "unnamed")")
    }
    lines += now
    lines += table(
      ["HOUR", "SKY", "TEMP \(temperatureUnit)", "WIND \(speedUnit)", "PRECIP \(precipitationUnit)", "HUMIDITY"],
      hourRows)
    lines += table(
      ["DAY", "SKY", "TEMP \(temperatureUnit)", "WIND \(speedUnit)", "PRECIP \(precipitationUnit)", "SUN"], dayRows)
    return lines.map { $0 + "\n" }.joined()
  }

  private var head: String {
    let place = response.coordinate.flatMap(RoundedCoordinate.init(rounding:))?.key ?? "an unknown place"
    let source = answer.source == .local ? "from the cache" : "from the service"
    let age = answer.ageSeconds.map { ", \(Self.words(forAge: $0)) old" } ?? ", of unknown age"
    return "\(place)  \(source)\(age)\(answer.isExpired ? ": EXPIRED" : "")"
  }

  private var now: [String] {
    guard let now = response.result.realtime else { return [] }
    var parts: [String] = []
    if let sky = now.phenomenon { parts.append(sky.name(in: words)) }
    if let temperature = now.temperature {
      let feels = now.apparentTemperature.map { ", feels like \(Self.number($0))" } ?? ""
      parts.append("\(Self.number(temperature)) \(temperatureUnit)\(feels)")
    }
    if let wind = now.wind {
      let point = wind.direction.compassPoint(in: response.unit).abbreviation
      parts.append(
        "wind \(point) \(Self.number(wind.speed.value)) \(speedUnit) (\(wind.speed.description(in: response.unit, language: words)))"
      )
    }
    if let humidity = now.humidity { parts.append("humidity \(Self.percent(humidity))") }
    if let pressure = now.pressure { parts.append("\(Self.number(pressure / 100)) hPa") }
    if let visibility = now.visibility { parts.append("visibility \(Self.number(visibility)) \(lengthUnit)") }
    var lines = ["now  " + parts.joined(separator: "; ")]
    if let keypoint = response.result.keypoint { lines.append("     " + keypoint) }
    return lines
  }

  private var hourRows: [[String]] {
    guard let hourly = response.result.hourly, let temperature = hourly.temperature else { return [] }
    return temperature.prefix(hours).indices.map { index in
      [
        Self.clock(temperature[index].datetime, ofDay: index == 0 || Self.isMidnight(temperature[index].datetime)),
        Self.at(index, hourly.phenomenon)?.value.name(in: words) ?? "", Self.number(temperature[index].value),
        Self.at(index, hourly.wind).map { wind($0.value) } ?? "",
        Self.at(index, hourly.precipitation).map { Self.number($0.value, digits: 2) } ?? "",
        Self.at(index, hourly.humidity).map { Self.percent($0.value) } ?? "",
      ]
    }
  }

  private var dayRows: [[String]] {
    guard let daily = response.result.daily, let temperature = daily.temperature else { return [] }
    return temperature.prefix(days).indices.map { index in
      let sun = Self.at(index, daily.astronomy)?.value
      return [
        String(temperature[index].date.description.prefix(10)),
        Self.at(index, daily.phenomenon)?.value.name(in: words) ?? "",
        "\(Self.number(temperature[index].value.minimum)) … \(Self.number(temperature[index].value.maximum))",
        Self.at(index, daily.wind).map { wind($0.value.maximum) } ?? "",
        Self.at(index, daily.precipitation).map { Self.number($0.value.maximum, digits: 2) } ?? "",
        [sun?.sunrise?.time, sun?.sunset?.time].compactMap(\.self).joined(separator: "–"),
      ]
    }
  }

  private func wind(_ wind: WeatherWind) -> String {
    "\(wind.direction.compassPoint(in: response.unit).abbreviation) \(Self.number(wind.speed.value))"
  }

  // MARK: Units

  private var temperatureUnit: String { response.unit.system.temperature.symbol }
  private var speedUnit: String { response.unit.system.windSpeed.symbol }
  private var lengthUnit: String { response.unit.system.visibility.symbol }
  private var precipitationUnit: String { response.unit.system.hourlyPrecipitation.symbol }

  // MARK: Text

  /// Aligns the cells in columns. Wide characters count as two.
  private func table(_ head: [String], _ rows: [[String]]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = head.indices.map { column in ([head] + rows).map { Self.width($0[column]) }.max() ?? 0 }
    let lines = ([head] + rows).map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - Self.width($0)) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
    return [""] + lines
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
  }

  private static func at<T>(_ index: Int, _ values: [T]?) -> T? {
    guard let values, values.indices.contains(index) else { return nil }
    return values[index]
  }

  private static func number(_ value: Double, digits: Int = 1) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    // Rain in metres per second has very small values.
    if value != 0, abs(value) < 0.005 { return String(format: "%.1e", value) }
    let text = String(format: "%.\(digits)f", value)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) } ? String(text.dropFirst()) : text
  }

  private static func percent(_ share: Double) -> String { number(share * 100, digits: 0) + " %" }

  private static func isMidnight(_ time: DatetimeServerType) -> Bool {
    time.description.dropFirst(11).hasPrefix("00:00")
  }

  /// Returns the time of day, preceded by the date if `ofDay` is true.
  private static func clock(_ time: DatetimeServerType, ofDay: Bool) -> String {
    let text = time.description
    let hour = text.dropFirst(11).prefix(5)
    return ofDay ? "\(text.prefix(10)) \(hour)" : "           \(hour)"
  }

  private static func words(forAge seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "unknown time" }
    if seconds < 60 { return "\(max(Int(seconds), 0)) s" }
    return seconds < 7200 ? "\(Int(seconds / 60)) min" : "\(Int(seconds / 3600)) h"
  }
}
