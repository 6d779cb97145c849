import ContrailGeodesy
import ContrailTestSupport
import ContrailWeather
import Foundation
import Testing

struct WeatherResponseTests {
  @Test(arguments: WeatherUnit.allCases, WeatherEndpoint.versions)
  func encodingAndDecodingTheExampleLosesNothing(unit: WeatherUnit, version: String) throws {
    let response = ExampleAnswer.response(unit: unit, version: version)
    #expect(response.version == version)
    let data = try response.json()
    #expect(try WeatherResponse(json: data) == response)
    #expect(try WeatherResponse(json: data).json() == data)
  }

  /// Each key of the seed's tables, so that a key that is renamed by mistake shows.
  @Test func theExampleHasEachKeyOfTheModelAndNoOther() throws {
    let leaves = try JSONLeaves(ExampleAnswer.response().json()).leaves.keys
    let keys = Set(leaves.map { $0.replacing(/\[[0-9]+\]/, with: "[]") })
    #expect(keys == Set(Self.keys))
    let newer = try JSONLeaves(ExampleAnswer.response(version: "v2.6").json()).leaves.keys
    let added = Set(newer.map { $0.replacing(/\[[0-9]+\]/, with: "[]") }).subtracting(Self.keys)
    #expect(added == Set(Self.keysOfVersion26))
  }

  /// The keys that v2.6 has beside those of v2.5: docs.caiyunapp.com/weather-api/v2/v2.6.
  private static let keysOfVersion26: [String] = {
    var keys = ["result.alert.adcodes[].adcode", "result.alert.adcodes[].name"]
    keys += ["datetime", "value"].map { "result.hourly.apparent_temperature[].\($0)" }
    keys += ["result.hourly.precipitation[].probability", "result.daily.precipitation[].probability"]
    for hours in ["08h_20h", "20h_32h"] {
      keys += ["date", "max", "min", "avg", "probability"].map { "result.daily.precipitation_\(hours)[].\($0)" }
      keys += ["date", "max", "min", "avg"].map { "result.daily.temperature_\(hours)[].\($0)" }
      keys.append("result.daily.wind_\(hours)[].date")
      for mean in ["max", "min", "avg"] {
        keys += ["speed", "direction"].map { "result.daily.wind_\(hours)[].\(mean).\($0)" }
      }
    }
    return keys
  }()

  @Test func partsThatTheServiceLeavesOutAreNil() throws {
    let response = try WeatherResponse(json: Fixture.data(#"{"status":"ok","unit":"SI","result":{}}"#))
    #expect(response == WeatherResponse(unit: .si))
    let bare =
      #"{"result":{"alert":{},"daily":{"air_quality":{},"life_index":{}},"hourly":{"air_quality":{}},"#
      + #""minutely":{},"realtime":{"air_quality":{"aqi":{}},"life_index":{},"precipitation":{"local":{}}}},"#
      + #""status":"ok","unit":"metric"}"#
    #expect(try WeatherResponse(json: Fixture.data(bare)).json() == Fixture.data(bare))
  }

  @Test func keysThatTheServiceAddsAreIgnoredAndListed() throws {
    let text = #"{"status":"ok","unit":"metric","new":[1],"result":{"realtime":{"temperature":3,"new":{"a":null}}}}"#
    let response = try WeatherResponse(json: Fixture.data(text))
    #expect(response.result.realtime?.temperature == 3)
    #expect(try WeatherResponse.unknownPaths(in: Fixture.data(text)) == ["new", "result.realtime.new"])
    #expect(try WeatherResponse.unknownPaths(in: Fixture.answer()) == [])
    #expect { try WeatherResponse.unknownPaths(in: Fixture.data("{")) } throws: {
      ($0 as? WeatherError)?.code == .malformed
    }
  }

  @Test func numbersMayBeWrittenWithOrWithoutAFraction() throws {
    for number in ["26", "26.0", "2.6e1"] {
      let text =
        #"{"status":"ok","unit":"metric","server_time":\#(number),"tzshift":\#(number),"#
        + #""result":{"realtime":{"temperature":\#(number)},"primary":\#(number)}}"#
      let response = try WeatherResponse(json: Fixture.data(text))
      #expect(response.result.realtime?.temperature == 26)
      #expect(response.serverTime == Datetime1970Based(seconds: 26))
      #expect(response.serverTimeZone?.secondsFromGMT == 26)
      #expect(response.result.primary == 26)
    }
  }

  @Test func aLevelMayBeANumberOrTextAndStaysSo() throws {
    let items = #"[{"index":4},{"index":"4"},{"index":"high"},{"index":4.5},{"desc":"High"}]"#
    let indices = try JSONDecoder().decode([IndexWithDescription].self, from: Fixture.data(items))
    #expect(indices.map { $0.index?.level } == [4, 4, nil, nil, nil])
    #expect(
      indices.map(\.index) == [.number(4), .text("4"), .text("high"), .number(4.5), nil])
    #expect(try JSONEncoder().encode(indices) == Fixture.data(items))
  }

  @Test func theUnitSystemMayBeWrittenInAnyCase() throws {
    let response = try WeatherResponse(json: Fixture.data(#"{"status":"ok","unit":"si","result":{}}"#))
    #expect(response.unit == .si)
  }

  @Test(arguments: ["CLEAR_DAY", "HAIL", "", "clear_day"])
  func aPhenomenonGoesOutAsItCameIn(spelling: String) throws {
    let data = try JSONEncoder().encode([spelling])
    #expect(try JSONEncoder().encode(JSONDecoder().decode([Phenomenon].self, from: data)) == data)
    #expect(Phenomenon(rawValue: spelling) == (spelling == "CLEAR_DAY" ? .clearDay : .unlisted(spelling)))
  }

  @Test func thePhenomenaAreTheDocumentations() {
    #expect(
      Phenomenon.listed.map(\.rawValue) == [
        "CLEAR_DAY", "CLEAR_NIGHT", "PARTLY_CLOUDY_DAY", "PARTLY_CLOUDY_NIGHT", "CLOUDY", "LIGHT_HAZE",
        "MODERATE_HAZE", "HEAVY_HAZE", "LIGHT_RAIN", "MODERATE_RAIN", "HEAVY_RAIN", "STORM_RAIN", "FOG", "LIGHT_SNOW",
        "MODERATE_SNOW", "HEAVY_SNOW", "STORM_SNOW", "DUST", "SAND", "WIND",
      ])
    #expect(Phenomenon.stormSnow.rawValue == "STORM_SNOW")
  }

  @Test(arguments: [
    ("0902", AlertCode(type: .lightning, level: .yellow)), ("0501", AlertCode(type: .gale, level: .blue)),
    ("1800", AlertCode(type: .dust, level: .white)), ("1604", AlertCode(type: .thunderGust, level: .red)),
    ("9103", AlertCode(type: .unlisted("91"), level: .orange)),
    ("0199", AlertCode(type: .typhoon, level: .unlisted("99"))),
    ("", AlertCode(type: .unlisted(""), level: .unlisted(""))),
    ("1", AlertCode(type: .unlisted("1"), level: .unlisted(""))),
    ("11B17", AlertCode(type: .frost, level: .unlisted("B17"))),
  ])
  func anAlertCodeIsATypeAndALevelAndGoesOutAsItCameIn(text: String, code: AlertCode) throws {
    #expect(AlertCode(rawValue: text) == code)
    let data = try JSONEncoder().encode([text])
    #expect(try JSONDecoder().decode([AlertCode].self, from: data) == [code])
    #expect(try JSONEncoder().encode([code]) == data)
  }

  @Test func theAlertTypesAndLevelsAreTheDocumentations() {
    #expect(AlertCode.AlertType.listed.map(\.rawValue) == (1...18).map { $0 < 10 ? "0\($0)" : "\($0)" })
    #expect(AlertCode.AlertLevel.listed.map(\.rawValue) == ["00", "01", "02", "03", "04"])
  }

  @Test func aRefusalIsATypedErrorWithTheServicesReason() {
    let text = #"{"status":"failed","error":"'token is invalid'","api_version":"v2.5"}"#
    #expect {
      try WeatherResponse(json: Fixture.data(text))
    } throws: { error in
      (error as? WeatherError)?.code == .refused
        && "\(error)" == #"refused: the service responded "'token is invalid'". Check the token and its permissions."#
    }
  }

  @Test(
    arguments: [
      ("", nil), ("null", nil), ("[]", nil), ("{", nil), ("\u{feff}", nil),
      ("{}", "status"), (#"{"status":1}"#, "status"),
      (#"{"status":"ok","result":{}}"#, "unit"), (#"{"status":"ok","unit":"stone","result":{}}"#, "unit"),
      (#"{"status":"ok","unit":"metric"}"#, "result"),
      (#"{"status":"ok","unit":"metric","location":[1],"result":{}}"#, "location[1]"),
      (
        #"{"status":"ok","unit":"metric","result":{"realtime":{"wind":{"speed":1}}}}"#, "result.realtime.wind.direction"
      ),
      (
        #"{"status":"ok","unit":"metric","result":{"hourly":{"temperature":[{"datetime":"x","value":1}]}}}"#,
        "result.hourly.temperature[0].datetime"
      ),
      (
        #"{"status":"ok","unit":"metric","result":{"daily":{"wind":[{"date":"2021-04-14T00:00Z","max":1}]}}}"#,
        "result.daily.wind[0].avg"
      ),
      (#"{"status":"ok","unit":"metric","result":{"realtime":{"temperature":"warm"}}}"#, "result.realtime.temperature"),
    ] as [(String, String?)])
  func whatIsNoAnswerIsNamedByItsPath(text: String, path: String?) {
    #expect {
      try WeatherResponse(json: Fixture.data(text))
    } throws: { error in
      let error = error as? WeatherError
      return error?.code == .malformed && (error?.field == path || path == nil)
    }
  }

  @Test func numbersThatJSONCantHoldAreRefused() {
    var response = ExampleAnswer.response()
    response.result.realtime?.temperature = .infinity
    #expect { try response.json() } throws: { ($0 as? WeatherError)?.field == "result.realtime.temperature" }
  }

  @Test func damagedAnswersAreErrorsAndNothingElse() throws {
    let whole = try Fixture.answer()
    for length in stride(from: 0, to: whole.count, by: 997) {
      #expect(throws: WeatherError.self) { try WeatherResponse(json: whole.prefix(length)) }
    }
    var random = SplitMix64(seed: 25)
    for _ in 0..<30 {
      var damaged = whole
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if let response = try? WeatherResponse(json: damaged) { _ = try response.json() }
    }
  }

  @Test func theSunsTimesAreSecondsSinceMidnightWhereTheyAreTimes() {
    #expect(Daily.AstronomyTime(time: "05:57").timeInterval == 21_420)
    #expect(Daily.AstronomyTime(time: "00:00").timeInterval == 0)
    for text in ["", "5:57", "24:00", "12:60", "--:--", "+1:+2", "05:57:00"] {
      #expect(Daily.AstronomyTime(time: text).timeInterval == nil)
    }
    #expect(Daily.AstronomyTime(minutes: 488).time == "08:08")
    #expect(Daily.AstronomyTime(minutes: -1).time == "23:59")
  }

  private static let keys: [String] = {
    func under(_ prefix: String, _ keys: String) -> [String] {
      keys.split(whereSeparator: \.isWhitespace).map { "\(prefix)\($0)" }
    }
    let quantities = under(
      "", "precipitation temperature humidity cloudrate pressure visibility dswrf air_quality.pm25")
    var keys = under("", "status api_version api_status lang unit tzshift timezone server_time location[]")
    keys += under("result.", "primary forecast_keypoint alert.status")
    keys += under(
      "result.alert.content[].",
      """
      province status code description alertId city adcode pubtimestamp latlon[] county source request_status location
      title regionId _id
      """)
    keys += under(
      "result.realtime.",
      """
      status temperature apparent_temperature humidity cloudrate skycon visibility dswrf pressure wind.speed
      wind.direction precipitation.local.status precipitation.local.datasource precipitation.local.intensity
      precipitation.nearest.status precipitation.nearest.distance precipitation.nearest.intensity air_quality.pm25
      air_quality.pm10 air_quality.o3 air_quality.so2 air_quality.no2 air_quality.co air_quality.aqi.chn
      air_quality.aqi.usa air_quality.description.chn air_quality.description.usa life_index.ultraviolet.index
      life_index.ultraviolet.desc life_index.comfort.index life_index.comfort.desc
      """)
    keys += under(
      "result.minutely.", "status datasource precipitation_2h[] precipitation[] probability[] description")
    keys += under(
      "result.hourly.",
      """
      status description skycon[].datetime skycon[].value wind[].datetime wind[].speed wind[].direction
      air_quality.aqi[].datetime air_quality.aqi[].value.chn air_quality.aqi[].value.usa
      """)
    for quantity in quantities { keys += under("result.hourly.\(quantity)[].", "datetime value") }
    keys += under(
      "result.daily.", "status astro[].date astro[].sunrise.time astro[].sunset.time wind[].date air_quality.aqi[].date"
    )
    for sky in under("result.daily.", "skycon skycon_08h_20h skycon_20h_32h") {
      keys += under("\(sky)[].", "date value")
    }
    for quantity in quantities { keys += under("result.daily.\(quantity)[].", "date max min avg") }
    for mean in ["max", "min", "avg"] {
      keys += under("result.daily.wind[].\(mean).", "speed direction")
      keys += under("result.daily.air_quality.aqi[].\(mean).", "chn usa")
    }
    for index in under("result.daily.life_index.", "ultraviolet carWashing dressing comfort coldRisk") {
      keys += under("\(index)[].", "date index desc")
    }
    return keys
  }()
}
