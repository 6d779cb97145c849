import ContrailCore
import ContrailHTTP
import ContrailTesting
import ContrailWeather
import ContrailWire
import Foundation
import Testing

@testable import Contrail

/// What the log says of a weather request that the application makes itself.
@Suite struct LoggedWeatherTests {
  private static let address = "https://example.com/v2.6/a%2Ftoken/13.5100,52.3600/weather.json"

  private func parts(_ text: String) throws -> (lookup: WeatherLookup, token: String)? {
    LoggedWeatherTransport.parts(try #require(URL(string: text)))
  }

  @Test func theParametersAreThoseOfTheURL() throws {
    let all = try #require(
      try parts(Self.address + "?lang=de_DE&unit=imperial&alert=true&hourlysteps=12&dailysteps=3"))
    #expect(all.token == "a/token" && all.lookup.version == "v2.6")
    #expect(all.lookup.place == RoundedCoordinate("13.5100,52.3600"))
    #expect(
      all.lookup.spec
        == WeatherSpec(
          language: "de_DE", unit: "imperial", includesAlerts: true, hours: 12, days: 3, file: "weather.json"))
    let usual = WeatherSpec()
    let none = try #require(try parts(Self.address + "?alert=false&hourlysteps=many"))
    #expect(none.lookup.spec == WeatherSpec(includesAlerts: false, file: "weather.json"))
    #expect(none.lookup.spec.language == usual.language && none.lookup.spec.hours == usual.hours)
    let base = URL(string: "https://example.com/v2.6/token/13.5100,52.3600/")
    let relative = LoggedWeatherTransport.parts(
      try #require(URL(string: "weather.json?hourlysteps=7", relativeTo: base)))
    #expect(relative?.token == "token" && relative?.lookup.spec.hours == 7)
  }

  @Test(arguments: [
    "https://example.com/", "https://example.com/v2.6/token/13.5100,52.3600",
    "https://example.com/v2.6/token/here/weather.json",
    "https://example.com/v2.6/token/13.5100,52.3600/weather.json/more",
  ]) func anotherFormHasNone(address: String) throws {
    #expect(try parts(address) == nil)
  }

  private static let failures: [(any Error & Sendable, String?)] = [
    (WeatherError(.malformed, reason: "m"), "tooLarge"),
    (WeatherError(.unreachable, reason: "m"), "network"),
    (WeatherError(.missingToken, reason: "m"), nil), (URLError(.timedOut), "network"), (CancellationError(), nil),
  ]

  @Test(arguments: failures.indices) func aFailureIsALine(index: Int) async throws {
    let (error, word) = Self.failures[index]
    try await withFolder { folder in
      let client = try ReferenceWorld(seed: 3).client(directory: URL(filePath: folder + "/log"))
      try await client.opened()
      let transport = client.loggedWeatherTransport(over: WeatherTransportFunction { _ in throw error })
      let url = try #require(URL(string: Self.address))
      await #expect(throws: (any Error).self) { try await transport.get(url) }
      await client.stop()
      let folder = URL(filePath: folder + "/log")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jsonl") }
      let text = try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
      let lines = text.split(separator: "\n").filter { $0.contains(#""weather.failed""#) }
      #expect(lines.count == (word == nil ? 0 : 1))
      if let word { #expect(lines.first?.contains("\"error\":\"\(word)\"") == true) }
    }
  }
}
