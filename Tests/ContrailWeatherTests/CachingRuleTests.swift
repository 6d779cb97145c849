import ContrailGeodesy
import ContrailWeather
import Foundation
import Testing

struct CachingRuleTests {
  private func verdict(
    _ stored: CachingRule.Stored, after seconds: Double = 10, at coordinate: Coordinate = Fixture.place
  ) throws -> CachingRule.Verdict {
    CachingRule.verdict(
      stored: stored, place: try WeatherPlace(coordinate),
      now: Date(timeIntervalSince1970: Fixture.madeAt + seconds), expirationSeconds: 300)
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
      try verdict(example, at: Coordinate(latitude: 47.4584, longitude: 8.5492)) == .remote(.anotherPlace))
    var placeless = ExampleAnswer.response()
    placeless.coordinate = nil
    #expect(try verdict(.response(placeless)) == .remote(.anotherPlace))
  }

  @Test func theSamePlaceWithinRoundingWillDo() throws {
    #expect(
      try verdict(example, at: Coordinate(latitude: 47.45834, longitude: 8.54916)) == .local(ageSeconds: 10))
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
}
