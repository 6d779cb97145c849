import ContrailGeodesy
import ContrailWeather
import ContrailWire
import Foundation

/// A weather request: `/{version}/{token}/{longitude},{latitude}/{file}?lang=…&unit=…&alert=…&hourlysteps=…&dailysteps=…`.
struct WeatherQuestion: Sendable {
  /// The requested parts of the weather.
  enum File: String, Sendable, CaseIterable {
    case weather = "weather.json"
    case realtime = "realtime.json"
    case minutely = "minutely.json"
    case hourly = "hourly.json"
    case daily = "daily.json"
  }

  /// `v2.5` or `v2.6`.
  var version: String
  var place: RoundedCoordinate
  var file: File
  var language = WeatherLanguage.chineseSimplified
  var unit = WeatherUnit.metric
  var includesAlerts = false
  var hours = 48
  var days = 5

  /// An error of the weather service.
  struct Refusal: Error, Sendable {
    var status: Int
    var reason: String

    /// Returns the body of the response for a version.
    func json(version: String) -> [UInt8] {
      var json = JSONWriter()
      json.object { json in
        for (key, value) in [("status", "failed"), ("error", reason), ("api_version", version)] {
          json.key(named: key)
          json.value(value)
        }
      }
      return json.bytes
    }
  }

  /// Returns the decoded token of a path, or `nil` if it isn't a weather path.
  static func token(inPath path: String) -> String? {
    guard let parts = parts(path) else { return nil }
    return String(parts.token).removingPercentEncoding ?? String(parts.token)
  }

  /// Returns a weather path without its token, for logs.
  ///
  /// Where the path isn't valid, the token may be at any place of it.
  static func hidingToken(inPath path: String) -> String {
    let version = WeatherEndpoint.versions.first { path.hasPrefix("/\($0)/") } ?? "v2.5"
    guard let question = try? WeatherQuestion(path: path, parameters: { _ in nil }) else { return "/\(version)/…" }
    return "/\(version)/{token}/\(question.place.key)/\(question.file.rawValue)"
  }

  private static func parts(
    _ path: String
  ) -> (version: Substring, token: Substring, place: Substring, file: Substring)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, WeatherEndpoint.versions.contains(String(parts[1])),
      parts.dropFirst(2).allSatisfy({ !$0.isEmpty })
    else {
      return nil
    }
    return (parts[1], parts[2], parts[3], parts[4])
  }

  /// Parses the path and the parameters. Missing parameters have the service's defaults, without alerts.
  init(path: String, parameters: (String) -> String?) throws(Refusal) {
    guard let parts = Self.parts(path), let file = File(rawValue: String(parts.file)) else {
      throw Refusal(status: 404, reason: "there is nothing at this path")
    }
    let numbers = (String(parts.place).removingPercentEncoding ?? "").split(
      separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2, let longitude = Double(numbers[0]), let latitude = Double(numbers[1]),
      let place = RoundedCoordinate(rounding: Coordinate(latitude: latitude, longitude: longitude))
    else { throw Refusal(status: 400, reason: "the place is longitude,latitude in degrees") }
    self.version = String(parts.version)
    self.place = place
    self.file = file
    func value<T>(_ name: String, _ expected: String, _ read: (String) -> T?) throws(Refusal) -> T? {
      guard let text = parameters(name) else { return nil }
      guard let value = read(text) else { throw Refusal(status: 400, reason: "\(name) is \(expected)") }
      return value
    }
    func length(_ name: String, _ range: ClosedRange<Int>) throws(Refusal) -> Int? {
      try value(name, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
        Int(text).flatMap { range.contains($0) ? $0 : nil }
      }
    }
    language = try value("lang", "zh_CN, zh_TW, en_US, en_GB or ja", WeatherLanguage.init(rawValue:)) ?? language
    unit =
      try value("unit", "metric, metric:v1, metric:v2, imperial or SI") { text in
        WeatherUnit.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
      } ?? unit
    includesAlerts = try value("alert", "true or false") { Bool($0) } ?? includesAlerts
    hours = try length("hourlysteps", WeatherEndpoint.hourlyLengths) ?? hours
    days = try length("dailysteps", WeatherEndpoint.dailyLengths) ?? days
  }
}

/// Rounds the numbers in JSON to seven significant digits, like the weather service. Unit conversion leaves more.
enum JSONRounding {
  static func rounded(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var index = 0
    var isInString = false
    while index < json.count {
      let byte = json[index]
      if isInString || !(byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)) {
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        result.append(byte)
        // An escaped quote doesn't end the string.
        if isInString, byte == UInt8(ascii: "\\"), index + 1 < json.count {
          index += 1
          result.append(json[index])
        }
        index += 1
        continue
      }
      let end = json[index...].firstIndex { !"+-.0123456789eE".utf8.contains($0) } ?? json.count
      let text = String(decoding: json[index..<end], as: UTF8.self)
      // Integers, including times, stay unchanged.
      if text.count > 8, text.contains("."), let value = Double(text) {
        result += Array(String(format: "%.7g", value).utf8)
      } else {
        result += json[index..<end]
      }
      index = end
    }
    return result
  }
}
