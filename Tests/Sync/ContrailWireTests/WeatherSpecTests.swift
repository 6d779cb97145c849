import ContrailGeodesy
import ContrailWire
import Testing

@Suite struct WeatherSpecTests {
  private let place = RoundedCoordinate(longitudeE4: -4_500, latitudeE4: 514_700)

  @Test func theTargetIsTheServicesAddressWithoutItsToken() {
    #expect(
      WeatherSpec().target(place)
        == "/v2.5/{token}/-0.4500,51.4700/weather.json?alert=true&lang=zh_CN&unit=metric&dailysteps=5&hourlysteps=48")
    #expect(
      WeatherSpec(language: "a&b=c", unit: "metric:v2", includesAlerts: false, hours: 1, days: 1).target(place)
        == "/v2.5/{token}/-0.4500,51.4700/weather.json?alert=false&lang=a%26b%3Dc&unit=metric:v2&dailysteps=1&hourlysteps=1"
    )
  }

  @Test func lengthsAreClampedToWhatTheServiceForetells() {
    var spec = WeatherSpec(hours: 0, days: 16)
    #expect(spec.hours == 1 && spec.days == 15)
    spec.hours = .max
    spec.days = .min
    #expect(spec.hours == 360 && spec.days == 1)
  }

  @Test func oneAnswerHoldsAnotherIfItIsInTheSameWordsAndAtLeastAsLong() {
    let spec = WeatherSpec(hours: 24, days: 3)
    #expect(spec.covers(spec) && spec.covers(WeatherSpec(includesAlerts: false, hours: 1, days: 1)))
    for other in [
      WeatherSpec(language: "ja", hours: 24, days: 3), WeatherSpec(unit: "SI", hours: 24, days: 3),
      WeatherSpec(hours: 25, days: 3), WeatherSpec(hours: 24, days: 4),
    ] { #expect(!spec.covers(other)) }
    #expect(!WeatherSpec(includesAlerts: false).covers(WeatherSpec()))
    #expect(FetchSpec(spec).covers(FetchSpec(WeatherSpec(hours: 1, days: 1))))
    #expect(!FetchSpec(area: .world, filter: Filter(types: [], history: .sixHours)).covers(FetchSpec(spec)))
  }

  private func head(_ text: String) throws(WireError) -> Int64? {
    try WeatherHead.serverTime(document(text))
  }

  @Test func theHeadIsReadAndNoMore() throws {
    #expect(try head(#"{"result":{"hourly":[1,{}]},"server_time":1618397000,"status":"ok"}"#) == 1_618_397_000)
    #expect(try head(#"{"result":7,"status":"ok"}"#) == nil)
    #expect(throws: WireError.refused("token is invalid")) {
      try head(#"{"status":"failed","error":"token is invalid","result":{}}"#)
    }
    #expect(throws: WireError.refused("failed")) { try head(#"{"status":"failed","error":[1]}"#) }
    #expect(throws: WireError.missing("result")) { try head(#"{"status":"ok"}"#) }
    #expect(throws: WireError.missing("status")) { try head(#"{"result":{}}"#) }
    #expect(throws: WireError.self) { try head(#"{"status":"ok","result":{}} x"#) }
  }
}
