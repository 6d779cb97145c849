import ContrailGeodesy
import ContrailWeather
import ContrailWire
import Foundation
import Logging
import Testing

@testable import ContrailServer
@testable import ContrailWorld

@Suite struct WeatherTests {
  private static let heathrow = "-0.4500,51.4700"
  private static let now = 1_768_471_500

  private func get(
    _ client: RawClient, _ query: String = "", file: String = "weather.json", token: String = "T",
    at second: Int = now, version: String = "v2.5",
    _ fields: [String: String] = [:]
  ) async -> RawClient.Answer? {
    await client.get(
      "/\(version)/\(token)/\(Self.heathrow)/\(file)\(query)",
      fields.merging([WireHeader.simulatedTime: String(second * 1000)]) { given, _ in given })
  }

  private func response(_ answer: RawClient.Answer?) throws -> WeatherResponse {
    try WeatherResponse(json: Data(try #require(answer).body))
  }

  @Test(arguments: WeatherUnit.allCases) func everyUnitSystemTellsTheSameWeather(unit: WeatherUnit) async throws {
    try await withServer { client in
      let metric = try response(await get(client, "?unit=metric:v2"))
      let told = try response(await get(client, "?unit=\(unit.rawValue)"))
      #expect(told.unit == unit && told.serverTime == Datetime1970Based(seconds: Double(Self.now)))
      let (mine, theirs) = (try #require(metric.measured.realtime), try #require(told.measured.realtime))
      let temperature = try #require(theirs.temperature?.converted(to: .celsius).value)
      #expect(abs(temperature - (mine.temperature?.value ?? .nan)) < 1e-3)
      let wind = try #require(theirs.wind?.speed.converted(to: .kilometersPerHour).value)
      #expect(abs(wind - (mine.wind?.speed.value ?? .nan)) < 1e-3)
      let there = try #require(told.measured.hourly?.visibility?.last?.value.converted(to: .kilometers).value)
      #expect(abs(there - (metric.result.hourly?.visibility?.last?.value ?? .nan)) < 1e-3)
      #expect(theirs.pressure == mine.pressure)
      #expect(told.result.hourly?.temperature?.count == 48 && told.result.daily?.temperature?.count == 5)
      #expect(told.result.minutely?.intensity?.count == 120)
    }
  }

  @Test(arguments: WeatherEndpoint.versions)
  func whatTheServerSendsIsAllInTheModel(version: String) async throws {
    try await withServer { client in
      let answer = try #require(await get(client, "?alert=true&hourlysteps=3&dailysteps=1", version: version))
      let data = Data(answer.body)
      let again = try WeatherResponse(json: data).json()
      let (sent, kept) = (
        try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary),
        try #require(try JSONSerialization.jsonObject(with: again) as? NSDictionary)
      )
      #expect(sent == kept)
    }
  }

  @Test func version26AddsToVersion25() async throws {
    try await withServer { client in
      let old = try response(await get(client))
      var new = try response(await get(client, version: "v2.6"))
      #expect(old.version == "v2.5" && new.version == "v2.6")
      let (hourly, daily) = (try #require(new.result.hourly), try #require(new.result.daily))
      #expect(hourly.apparentTemperature?.count == 48)
      #expect(hourly.precipitation?.allSatisfy { (0...100).contains($0.probability ?? -1) } == true)
      #expect(daily.precipitation?.allSatisfy { (0...100).contains($0.probability ?? -1) } == true)
      for count in [
        daily.temperatureDaytime?.count, daily.temperatureNighttime?.count, daily.windDaytime?.count,
        daily.windNighttime?.count, daily.precipitationDaytime?.count, daily.precipitationNighttime?.count,
      ] {
        #expect(count == 5)
      }
      // Nothing else differs.
      new.version = old.version
      new.result.hourly?.apparentTemperature = nil
      new.result.hourly?.precipitation = old.result.hourly?.precipitation
      new.result.daily?.precipitation = old.result.daily?.precipitation
      for name in [
        \Daily.temperatureDaytime, \.temperatureNighttime, \.precipitationDaytime, \.precipitationNighttime,
      ] {
        new.result.daily?[keyPath: name] = nil
      }
      new.result.daily?.windDaytime = nil
      new.result.daily?.windNighttime = nil
      #expect(new == old)
    }
  }

  @Test(arguments: WeatherLanguage.allCases) func everyLanguageHasWords(language: WeatherLanguage) async throws {
    try await withServer { client in
      let told = try response(await get(client, "?lang=\(language.rawValue)"))
      #expect(told.language == language.rawValue)
      let keypoint = try #require(told.result.keypoint)
      let isLatin = keypoint.unicodeScalars.allSatisfy { $0.value < 0x2E80 }
      #expect(isLatin == [.englishUS, .englishUK].contains(language), "\(keypoint)")
    }
    let phrases = WeatherPhrases(language: language)
    for phenomenon in Phenomenon.listed { #expect(!phrases.name(phenomenon).isEmpty) }
    for type in AlertCode.AlertType.listed {
      let words = phrases.alert(AlertCode(type: type, level: .yellow))
      #expect(![words.title, words.text, words.status, words.source].contains(""))
    }
  }

  @Test func eachFileHasItsPart() async throws {
    try await withServer { client in
      for (file, has) in [
        ("realtime.json", "realtime"), ("minutely.json", "minutely"), ("hourly.json", "hourly"),
        ("daily.json", "daily"),
      ] {
        let result = try response(await get(client, file: file)).result
        let parts = [
          "realtime": result.realtime != nil, "minutely": result.minutely != nil, "hourly": result.hourly != nil,
          "daily": result.daily != nil,
        ]
        #expect(parts.filter(\.value).map(\.key) == [has], "\(file)")
      }
    }
  }

  @Test func theWeatherIsAFunctionOfSeedPlaceAndTime() {
    let (one, two) = (WeatherWorld(seed: 1), WeatherWorld(seed: 2))
    let place = Coordinate(latitude: 51.47, longitude: -0.45)
    #expect(one.air(at: place, time: 0).temperature == WeatherWorld(seed: 1).air(at: place, time: 0).temperature)
    #expect(one.air(at: place, time: 0).pressure != two.air(at: place, time: 0).pressure)
  }

  @Test func theWeatherIsPlausibleEverywhere() {
    let world = WeatherWorld(seed: 3)
    var skies: Set<String> = []
    var warnings = 0
    var count = 0
    for latitude in stride(from: -90.0, through: 90, by: 15) {
      for longitude in stride(from: -180.0, to: 180, by: 30) {
        for time in stride(from: Int64(1_768_471_200), to: 1_768_471_200 + 31_536_000, by: 2_628_000) {
          let place = Coordinate(latitude: latitude, longitude: longitude)
          let air = world.air(at: place, time: time)
          #expect((-60...50).contains(air.temperature) && (90_000...106_000).contains(air.pressure))
          #expect(
            (0...1).contains(air.humidity) && (0...1).contains(air.cloud) && (0..<360).contains(air.windDirection))
          #expect((0...100).contains(air.precipitation) && (0...130).contains(air.windSpeed) && air.visibility > 0)
          #expect((0...1100).contains(air.sunlight))
          skies.insert(WeatherWorld.phenomenon(air).rawValue)
          if world.warning(at: place, time: time) != nil { warnings += 1 }
          count += 1
        }
      }
    }
    #expect(skies.count >= 8, "\(skies.sorted())")
    #expect((count / 50...count / 3).contains(warnings), "\(warnings) warnings in \(count)")
  }

  @Test func theSunRisesAndSetsWhereItDoes() {
    let noon = 1_781_956_800 as Int64  // 2026-06-20 12:00 UTC
    let london = WeatherWorld.sunMinutes(at: .init(latitude: 51.5, longitude: 0), noon: noon, secondsFromGMT: 0)
    // HM Nautical Almanac Office: 03:43 and 20:21 UTC.
    #expect(abs(london.rise - 223) <= 8 && abs(london.set - 1221) <= 8, "\(london)")
    let pole = WeatherWorld.sunMinutes(at: .init(latitude: 89, longitude: 0), noon: noon, secondsFromGMT: 0)
    #expect(pole == (0, 1439))
    let night = WeatherWorld.sunMinutes(at: .init(latitude: -89, longitude: 0), noon: noon, secondsFromGMT: 0)
    #expect(night.rise == night.set)
  }

  @Test func unchangedWeatherIsNotSentAgain() async throws {
    try await withServer { client in
      let first = try #require(await get(client))
      let tag = try #require(first.fields["etag"])
      #expect(tag.hasPrefix("W/"))
      #expect(await get(client, at: Self.now + 200, ["If-None-Match": tag])?.status == 304)
      #expect(await get(client, "?lang=ja", at: Self.now + 200, ["If-None-Match": tag])?.status == 200)
      #expect(await get(client, at: Self.now + 600, ["If-None-Match": tag])?.status == 200)
    }
  }

  @Test func refusalsAreTheServicesOwn() async throws {
    try await withServer({ $0.keys = ["right"] }) { client in
      for (token, query, file, status) in [
        ("wrong", "", "weather.json", 401), ("right", "?unit=feet", "weather.json", 400),
        ("right", "?lang=xx", "weather.json", 400), ("right", "?hourlysteps=361", "weather.json", 400),
        ("right", "?alert=maybe", "weather.json", 400), ("right", "", "nothing.json", 404),
      ] {
        let answer = try #require(await get(client, query, file: file, token: token))
        #expect(answer.status == status, "\(query) \(file)")
        #expect(answer.text.hasPrefix(#"{"status":"failed","error":""#), "\(answer.text)")
        #expect(throws: WeatherError.self) { try WeatherResponse(json: Data(answer.body)) }
      }
      #expect(await get(client, token: "right")?.status == 200)
      #expect(await client.get("/v2.5/right/999,999/weather.json")?.status == 400)
      #expect(await client.send("POST", "/v2.5/right/1,1/weather.json", [:], body: [])?.status == 405)
    }
  }

  @Test func faultsAreToldInItsWords() async throws {
    try await withServer { client in
      let failed = try #require(await get(client, "", [WireHeader.fault: "failed"]))
      #expect(failed.status == 200 && failed.text.contains(#""status":"failed""#))
      let busy = try #require(await get(client, "", [WireHeader.fault: "status=429,retry-after=7"]))
      #expect(busy.status == 429 && busy.fields["retry-after"] == "7" && busy.text.contains("failed"))
    }
  }

  @Test func numbersAreRoundedAndTextsAreNot() {
    func rounded(_ text: String) -> String {
      String(decoding: JSONRounding.rounded(Array(text.utf8)), as: UTF8.self)
    }
    #expect(
      rounded(#"{"a":12.340000000000002,"b":"1.23456789012","c":[1768471500,-0.5,1e-9]}"#)
        == #"{"a":12.34,"b":"1.23456789012","c":[1768471500,-0.5,1e-9]}"#)
    #expect(rounded(#"["\"1.2345678901",1.2345678901]"#) == #"["\"1.2345678901",1.234568]"#)
  }
}
