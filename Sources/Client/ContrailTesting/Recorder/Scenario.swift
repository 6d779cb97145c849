import Contrail
package import ContrailAirportData
package import ContrailCore
package import ContrailGeodesy
package import ContrailLog
package import ContrailWire

/// The events of a flight as text. Each line contains a time, counted from the first fix, and an event.
///
/// ```
/// # The link is lost over the ocean.
/// 01:10:00  offline
/// 03:40:00  online
/// 04:00:00  history 4h
/// 05:00:00  fault status=503 for 10m
/// ```
package struct Scenario: Sendable {
  package var events: [Event]

  package init(events: [Event] = []) {
    self.events = events
  }

  package struct Event: Sendable {
    /// The time after the first fix in milliseconds.
    package var at: Int64
    package var action: Action
  }

  package enum Action: Sendable {
    case connectivity(isOnline: Bool)
    /// The process ends unexpectedly and is relaunched.
    case relaunch
    case refresh(full: Bool)
    case history(DataHistoryTime)
    case frequency(DataUpdateFrequency)
    /// The bytes of the flight; nil for no limit.
    case budget(Int64?)
    case link(LinkCost)
    case types(DataTypeOptions)
    case viewportTypes(DataTypeOptions?)
    case severities([TurbulenceSeverity])
    case altitudes(ClosedRange<Double>?)
    /// A route instead of that of the track, or none.
    case route([Coordinate]?, widthNM: Double)
    case polygon([Coordinate]?)
    case viewport(Viewport)
    /// The map is moved manually `count` times at an interval, each time by some degrees to the east.
    case pan(count: Int, everyMS: Int64, stepDegrees: Double)
    case globalEnabled(Bool)
    case upToEnabled(Bool)
    /// The server applies a fault for a duration.
    case fault(String, forMS: Int64)
    /// The API key becomes invalid or valid.
    case key(isValid: Bool)
    /// The aircraft reports turbulence `count` times at an interval.
    case report(TurbulenceSeverity, count: Int, everyMS: Int64)
    /// The weather of places, or of none.
    case weather(WeatherQuery)
    /// The wall clock is adjusted.
    case clock(byMS: Int64)
    case airports(Airports, AIRACCycle)
  }

  /// An operation on an airport cycle.
  package enum Airports: String, Sendable {
    /// Check whether the server has the cycle.
    case check
    /// Download and load the cycle. It is activated when it becomes effective.
    case load
    /// The user defers the load.
    case `defer`
    /// From now on the client loads airports by itself, and the server has the cycle.
    case deliver
  }

  package enum Viewport: Sendable, Equatable {
    case off
    /// A rectangle of some degrees of latitude around the aircraft. It moves when the aircraft approaches its edge.
    case following(heightDegrees: Double)
  }
}

extension Scenario {
  /// Parses a scenario.
  ///
  /// - Throws: ``InputError`` for the first invalid line.
  package init(text: String) throws(InputError) {
    events = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.prefix { $0 != "#" }.split(separator: " ")
      guard let time = words.first else { continue }
      guard let at = TimeText.span(time) else {
        let reason =
          (TimeText.milliseconds(time) ?? 0) < 0
          ? "'\(time)' is before the first fix; use t+0 or later"
          : "'\(time)' isn't a time; use a form such as 01:10:00, 1h10m or t+0"
        throw InputError(.scenario, line: index + 1, reason)
      }
      guard let action = Self.action(Array(words.dropFirst())) else {
        throw InputError(
          .scenario, line: index + 1,
          "'\(words.dropFirst().joined(separator: " "))' isn't an event; 'contrail record --help' lists the events")
      }
      events.append(Event(at: at, action: action))
    }
    // A stable sort: events with the same time keep their order.
    events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private static func action(_ words: [Substring]) -> Action? {
    guard let verb = words.first else { return nil }
    let rest = Array(words.dropFirst())
    switch (verb, rest.count) {
    case ("offline", 0): return .connectivity(isOnline: false)
    case ("online", 0): return .connectivity(isOnline: true)
    case ("relaunch", 0): return .relaunch
    case ("refresh", 1): return ["full": true, "delta": false][rest[0]].map { .refresh(full: $0) }
    case ("history", 1): return history(rest[0]).map { .history($0) }
    case ("frequency", 1): return DataUpdateFrequency(rawValue: String(rest[0])).map { .frequency($0) }
    case ("budget", 1):
      if rest[0] == "off" { return .budget(nil) }
      return Int64(rest[0]).flatMap { $0 < 0 ? nil : .budget($0) }
    case ("link", 1):
      let costs: [Substring: LinkCost] = [
        "free": LinkCost(), "expensive": LinkCost(isExpensive: true), "constrained": LinkCost(isConstrained: true),
      ]
      return costs[rest[0]].map { .link($0) }
    case ("types", 1): return DataTypeOptions(words: rest[0]).map { .types($0) }
    case ("viewport-types", 1):
      return rest[0] == "same" ? .viewportTypes(nil) : DataTypeOptions(words: rest[0]).map { .viewportTypes($0) }
    case ("severities", 1): return severities(rest[0]).map { .severities($0) }
    case ("altitudes", 1): return rest[0] == "all" ? .altitudes(nil) : nil
    case ("altitudes", 2):
      guard let lower = Double(rest[0]), let upper = Double(rest[1]), lower <= upper else { return nil }
      return .altitudes(lower...upper)
    case ("route", 1) where rest[0] == "off": return .route(nil, widthNM: 0)
    case ("route", 4...) where rest[rest.count - 2] == "width":
      guard let width = Double(rest[rest.count - 1]), let line = coordinates(rest.dropLast(2)) else { return nil }
      return .route(line, widthNM: width)
    case ("polygon", 1) where rest[0] == "off": return .polygon(nil)
    case ("polygon", 1...): return coordinates(rest[...]).map { .polygon($0) }
    case ("viewport", 1): return viewport(rest[0]).map { .viewport($0) }
    case ("pan", 3):
      guard let count = Int(rest[0]), let every = TimeText.span(rest[1]), let step = Double(rest[2]),
        (1...10_000).contains(count), every > 0
      else { return nil }
      return .pan(count: count, everyMS: every, stepDegrees: step)
    case ("global", 1): return flag(rest[0]).map { .globalEnabled($0) }
    case ("up-to", 1): return flag(rest[0]).map { .upToEnabled($0) }
    case ("fault", 3) where rest[1] == "for":
      return TimeText.span(rest[2]).map { .fault(String(rest[0]), forMS: $0) }
    case ("key", 1): return ["good": true, "bad": false][rest[0]].map { .key(isValid: $0) }
    case ("report", 1): return severities(rest[0])?.first.map { .report($0, count: 1, everyMS: 0) }
    case ("report", 3):
      guard let severity = severities(rest[0])?.first, let count = Int(rest[1]), let every = TimeText.span(rest[2]),
        (1...10_000).contains(count), every > 0
      else { return nil }
      return .report(severity, count: count, everyMS: every)
    case ("weather", 1) where rest[0] == "off": return .weather(WeatherQuery())
    case ("weather", 1...): return weather(rest[...])
    case ("airports", 2):
      guard let verb = Airports(rawValue: String(rest[0])), let cycle = AIRACCycle(identifier: String(rest[1])) else {
        return nil
      }
      return .airports(verb, cycle)
    case ("clock", 1): return clock(rest[0]).map { .clock(byMS: $0) }
    default: return nil
    }
  }

  /// Parses `40.64,-73.78 language en_US unit metric:v2 hours 12 days 2`: places, followed by options.
  private static func weather(_ words: ArraySlice<Substring>) -> Action? {
    let options = words.firstIndex { $0.first?.isLetter ?? false } ?? words.endIndex
    guard let coordinates = coordinates(words[..<options]), (words.endIndex - options).isMultiple(of: 2) else {
      return nil
    }
    let places = coordinates.compactMap { RoundedCoordinate(rounding: $0) }
    guard places.count == coordinates.count, !places.isEmpty else { return nil }
    var query = WeatherQuery(places: places)
    for index in stride(from: options, to: words.endIndex, by: 2) {
      let value = words[index + 1]
      switch words[index] {
      case "language": query.spec.language = String(value)
      case "unit": query.spec.unit = String(value)
      case "version": query.spec.version = String(value)
      case "file": query.spec.file = String(value)
      case "hours":
        guard let hours = Int64(value), WeatherSpec.hourLengths.contains(hours) else { return nil }
        query.spec.hours = hours
      case "days":
        guard let days = Int64(value), WeatherSpec.dayLengths.contains(days) else { return nil }
        query.spec.days = days
      default: return nil
      }
    }
    return .weather(query)
  }

  private static func clock(_ word: Substring) -> Int64? {
    guard let sign = word.first, sign == "+" || sign == "-", TimeText.span(word.dropFirst()) != nil else { return nil }
    return TimeText.milliseconds(word)
  }

  private static func flag(_ word: Substring) -> Bool? { ["on": true, "off": false][word] }

  /// Parses `0.5h`, `1h`, `2h`, `4h` or `6h`. Returns `nil` if the text is invalid.
  package static func history(_ word: Substring) -> DataHistoryTime? {
    let spans: [Substring: DataHistoryTime] = [
      "0.5h": .halfHour, "1h": .hour, "2h": .twoHours, "4h": .fourHours, "6h": .sixHours,
    ]
    return spans[word]
  }

  private static func severities(_ word: Substring) -> [TurbulenceSeverity]? {
    let names: [Substring: TurbulenceSeverity] = [
      "none": .none, "light": .light, "light-moderate": .lightModerate, "moderate": .moderate,
      "moderate-severe": .moderateSevere,
    ]
    if word == "all" { return TurbulenceSeverity.allCases }
    let severities = word.split(separator: ",").map { names[$0] }
    return severities.contains(nil) ? nil : severities.compactMap { $0 }
  }

  /// Parses `off`, or the height of a rectangle around the aircraft such as `8deg`. Returns `nil` if the text is
  /// invalid.
  package static func viewport(_ word: Substring) -> Viewport? {
    if word == "off" { return .off }
    guard word.hasSuffix("deg"), let height = Double(word.dropLast(3)), (0.1...170).contains(height) else { return nil }
    return .following(heightDegrees: height)
  }

  /// Parses latitudes and longitudes in degrees: `51.5,-0.5 60,-30`. Returns `nil` if a word is invalid.
  package static func coordinates(_ words: ArraySlice<Substring>) -> [Coordinate]? {
    var coordinates: [Coordinate] = []
    for word in words {
      let parts = word.split(separator: ",").map { Double($0) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
      coordinates.append(Coordinate(latitude: latitude, longitude: longitude))
    }
    return coordinates
  }
}

extension Scenario {
  /// Removes the latencies from the texts of faults, and returns their sum in milliseconds.
  ///
  /// A latency that the server would refuse stays.
  static func takeLatency(of faults: inout [String]) -> Int64 {
    var sum: Int64 = 0
    faults = faults.compactMap { text in
      let parts = text.split(separator: ",").filter { part in
        let sides = part.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, sides[0] == "latency", let milliseconds = Int64(sides[1]), 0...120_000 ~= milliseconds
        else { return true }
        sum += milliseconds
        return false
      }
      return parts.isEmpty ? nil : parts.joined(separator: ",")
    }
    return sum
  }
}
