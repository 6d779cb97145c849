import ContrailGeodesy
import ContrailWeather
import Foundation
import Testing

struct CachingRuleTests {
  private func verdict(
    _ stored: CachingRule.Stored, after seconds: Double = 10, at coordinate: Coordinate = Fixture.place,
    requested: WeatherEndpoint? = nil
  ) throws -> CachingRule.Verdict {
    CachingRule.verdict(
      stored: stored, place: try RoundedCoordinate(coordinate),
      now: Date(timeIntervalSince1970: Fixture.madeAt + seconds), expirationSeconds: 300,
      requested: requested)
  }

  private let example = CachingRule.Stored.response(ExampleAnswer.response())

  @Test func nothingStoredAsksTheService() throws {
    #expect(try verdict(.nothing) == .remote(.nothingStored))
    #expect(try verdict(CachingRule.Stored(nil)) == .remote(.nothingStored))
  }

  @Test func whatDoesntDecodeAsksTheService() throws {
    #expect(try verdict(CachingRule.Stored(Fixture.data("{"))) == .remote(.undecodable))
    #expect(
      try verdict(CachingRule.Stored(Fixture.data(#"{"status":"failed","error":"x"}"#))) == .remote(.undecodable))
  }

  @Test func anotherPlaceAsksTheService() throws {
    #expect(
      try verdict(example, at: Coordinate(latitude: 35.4905, longitude: 112.8641)) == .remote(.anotherPlace))
    var placeless = ExampleAnswer.response()
    placeless.coordinate = nil
    #expect(try verdict(.response(placeless)) == .remote(.anotherPlace))
  }

  @Test func theSamePlaceWithinRoundingWillDo() throws {
    #expect(
      try verdict(example, at: Coordinate(latitude: 35.49044, longitude: 112.86406)) == .local(ageSeconds: 10))
  }

  @Test func anAnswerHoldsUntilItsExpirationAndNotAtIt() throws {
    #expect(try verdict(example, after: 0) == .local(ageSeconds: 0))
    #expect(try verdict(example, after: 299) == .local(ageSeconds: 299))
    #expect(try verdict(example, after: 300) == .remote(.expired(ageSeconds: 300)))
  }

  @Test func aClockThatIsALittleSlowDoesntMatterAndOneThatIsFarOffDoes() throws {
    #expect(try verdict(example, after: -20) == .local(ageSeconds: -20))
    #expect(try verdict(example, after: -300) == .remote(.fromTheFuture(aheadSeconds: 300)))
  }

  @Test func anAnswerWithoutATimeAsksTheService() throws {
    var undated = ExampleAnswer.response()
    undated.serverTime = nil
    #expect(try verdict(.response(undated)) == .remote(.undated))
  }

  private func endpoint(_ change: (inout WeatherEndpoint) -> Void = { _ in }) -> WeatherEndpoint {
    var endpoint = WeatherEndpoint(token: "T", coordinate: Fixture.place, language: .englishUS)
    change(&endpoint)
    return endpoint
  }

  @Test func theFormThatIsRequestedWillDo() throws {
    for file in ["weather.json", "weather", "realtime.json", "minutely.json", "hourly.json", "daily", "other"] {
      #expect(try verdict(example, requested: endpoint { $0.file = file }) == .local(ageSeconds: 10), "\(file)")
    }
    // The service omits warnings where a token doesn't include them.
    #expect(try verdict(example, requested: endpoint { $0.shouldIncludeAlerts = false }) == .local(ageSeconds: 10))
  }

  @Test func anotherLanguageUnitLengthOrVersionAsksTheService() throws {
    func difference(_ change: (inout WeatherEndpoint) -> Void) throws -> [CachingRule.Difference] {
      guard case .remote(.different(let differences)) = try verdict(example, requested: endpoint(change)) else {
        return []
      }
      return differences
    }
    #expect(try difference { $0.language = .japanese } == [.language])
    #expect(try difference { $0.measurementSystem = .si } == [.unit])
    for hours in [12, 47, 49, 360] { #expect(try difference { $0.hourlyLength = hours } == [.hourlyLength]) }
    for days in [1, 6] { #expect(try difference { $0.dailyLength = days } == [.dailyLength]) }
    #expect(try difference { $0.version = "v2.6" } == [.version])
    #expect(
      try difference {
        $0.language = .englishUK
        $0.measurementSystem = .imperial
      } == [.language, .unit])
  }

  @Test func lengthsMatterOnlyInTheFilesThatHaveThem() throws {
    for file in ["realtime.json", "minutely.json", "daily.json"] {
      let endpoint = endpoint {
        $0.file = file
        $0.hourlyLength = 1
      }
      #expect(try verdict(example, requested: endpoint) == .local(ageSeconds: 10), "\(file)")
    }
  }

  @Test func aMissingPartAsksTheService() throws {
    var hoursOnly = ExampleAnswer.response()
    (hoursOnly.result.realtime, hoursOnly.result.minutely, hoursOnly.result.daily) = (nil, nil, nil)
    for (file, missing) in [
      ("hourly.json", []), ("weather.json", [.parts, .dailyLength]), ("realtime.json", [.parts]),
      ("minutely.json", [.parts]), ("daily.json", [.dailyLength]),
    ] as [(String, [CachingRule.Difference])] {
      #expect(hoursOnly.differences(from: endpoint { $0.file = file }) == missing, "\(file)")
    }
  }
}
