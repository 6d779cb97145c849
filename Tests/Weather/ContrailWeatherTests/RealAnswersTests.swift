import ContrailGeodesy
import ContrailTestSupport
import ContrailWeather
import Foundation
import Testing

/// Where answers that the service gave are at hand: `CONTRAIL_DATA` names the directory that holds `weather/`.
private let answersDirectory = SharedData.folder.map {
  URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent("weather", isDirectory: true)
}

@Suite(.enabled(if: answersDirectory != nil, "CONTRAIL_DATA isn't set"))
struct RealAnswersTests {
  private func answers() throws -> [(name: String, data: Data)] {
    let directory = try #require(answersDirectory)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".json") }
    return try names.sorted().map { ($0, try Data(contentsOf: directory.appendingPathComponent($0))) }
  }

  private func answer(_ part: String) throws -> WeatherResponse {
    let found = try #require(try answers().first { $0.name.contains(part) })
    return try WeatherResponse(json: found.data)
  }

  /// Walks every path of every answer: decoding and encoding keep each path and its value, and add none.
  @Test func noFieldOfARealAnswerIsLost() throws {
    let answers = try answers()
    #expect(!answers.isEmpty)
    for (name, data) in answers {
      let original = try JSONLeaves(data).leaves
      let again = try JSONLeaves(WeatherResponse(json: data).json()).leaves
      let lost = original.filter { again[$0.key] != $0.value }.keys
      #expect(lost.isEmpty, "\(name): \(lost.sorted().prefix(10))")
      let added = again.keys.filter { original[$0] == nil }
      #expect(added.isEmpty, "\(name): \(added.sorted().prefix(10))")
      #expect(try WeatherResponse.unknownPaths(in: data) == [], "\(name)")
    }
  }

  @Test func eachRealAnswerSurvivesAConversionAndBack() throws {
    for (_, data) in try answers() {
      let response = try WeatherResponse(json: data)
      for unit in WeatherUnit.allCases {
        let back = try JSONLeaves(response.converted(to: unit).converted(to: response.unit).json()).leaves
        for (path, leaf) in try JSONLeaves(response.json()).leaves {
          guard case .number(let number) = leaf, case .number(let other) = back[path] else { continue }
          #expect(abs(number - other) <= 1e-9 * max(1, abs(number)), "\(path) by \(unit.rawValue)")
        }
      }
    }
  }

  @Test func jinchengReadsAsItWas() throws {
    let response = try answer("full-imperial")
    #expect(response.unit == .imperial)
    #expect(response.coordinate == Coordinate(latitude: 35.4904, longitude: 112.8641))
    #expect(response.isFor(try #require(RoundedCoordinate("112.8641,35.4904"))))
    #expect(response.serverTime?.time == Date(timeIntervalSince1970: 1_618_398_184))
    let now = try #require(response.measured.realtime)
    #expect(abs(try #require(now.temperature).converted(to: .celsius).value - 14) < 1e-6)
    #expect(now.pressure?.converted(to: .hectopascals).value == 920.5079)
    #expect(now.wind?.beaufort == Beaufort(force: 2))
    #expect(now.wind?.compassPoint == .southSoutheast)
    #expect(
      response.result.alert?.content?.map(\.code)
        == [AlertCode(type: .gale, level: .blue), AlertCode(type: .frost, level: .blue)])
    #expect(response.result.hourly?.temperature?.count == 48)
    #expect(response.result.minutely?.intensity?.count == 120)
    #expect(response.result.daily?.lifeIndex?.comfort?.first?.value.index?.level == 12)
    #expect(response.result.daily?.astronomy?.first?.value.sunrise?.timeInterval == 21_420)
  }

  @Test func taipeiHasHoursOnly() throws {
    let response = try answer("hourly-taipei")
    #expect(response.result.realtime == nil)
    #expect(response.measured.hourly?.precipitation?.map(\.value.value).max() == 17.5941)
    #expect(response.result.hourly?.precipitation?.first?.datetime.description == "2021-06-05T15:00+08:00")
  }

  @Test func shenzhenHasTheNowOnly() throws {
    let response = try answer("realtime-shenzhen")
    #expect(response.measured.realtime?.temperature?.value == 26)
    #expect(response.result.realtime?.phenomenon == .clearNight)
    #expect(response.result.daily == nil)
  }
}
