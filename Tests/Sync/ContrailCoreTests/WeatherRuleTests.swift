import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailCore

/// What the weather of a place promises, over the rules that it shares with the other scopes.
@Suite struct WeatherRuleTests {
  private let london = ScopeID.weather(Rig.place)

  /// Online, no area, the weather of one place, its first answer applied.
  private func watching(_ change: (inout ResolvedQuery) -> Void = { _ in }) -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query {
      $0.weather.places = [Rig.place]
      change(&$0)
    }
    rig.answer(london)
    return rig
  }

  private func bytes(_ text: String) -> Input.Body { .inline(Array(text.utf8)) }

  // MARK: Wanting it

  @Test func weatherIsWantedByItsPlaceAlone() {
    var rig = Rig()
    rig.launch()
    #expect(
      rig.query { $0.weather.places = [Rig.otherPlace, Rig.place, Rig.place] } == [
        "weather.-0.4500,51.4700 full first", "weather.103.9900,1.3600 full first",
      ])
  }

  @Test func aPlaceThatIsNoLongerWantedIsHiddenAndGoesWhenItIsOld() {
    var rig = watching()
    #expect(rig.query { $0.weather.places = [] } == [])
    #expect(rig.state.scope(london)?.want == nil && rig.state.scope(london)?.have != nil)
    rig.now += 7_199_000
    rig.send(.connectivityChanged(isOnline: true))
    #expect(rig.state.scope(london) != nil)
    rig.now += 1000
    #expect(rig.send(.connectivityChanged(isOnline: true)) == [])
    #expect(rig.state.scope(london) == nil)
  }

  @Test(arguments: ["language", "unit", "version", "file"])
  func whatTheServiceDoesNotDocumentIsRejectedOnceAndTheLastFormStays(member: String) throws {
    var rig = watching()
    let usual = rig.state.query.weather.spec
    func set(_ value: String) -> [String] {
      rig.query {
        switch member {
        case "language": $0.weather.spec.language = value
        case "unit": $0.weather.spec.unit = value
        case "version": $0.weather.spec.version = value
        default: $0.weather.spec.file = value
        }
      }
    }
    let rejected = "\(london.name) reject unknownToService weather.spec.\(member)"
    #expect(set("furlongs") == [rejected])
    #expect(rig.state.scope(london)?.want?.weather == usual)
    #expect(rig.query { $0.types = [.turbulence, .pireps] } == [], "it is said once")
    #expect(set("fathoms") == [rejected])
    #expect(rig.query { $0.weather.spec = usual } == [])
    let told = Decision.QueryRejected(
      scope: london, reason: "unknownToService", place: "weather.spec.\(member)", cause: 1)
    #expect(told.message.hasSuffix("isn't one that the service documents"))
    #expect(told.advice.hasPrefix("Use one of "))
  }

  @Test func anotherVersionOrFileIsFetched() {
    var rig = watching()
    #expect(rig.query { $0.weather.spec.version = "v2.6" } == ["\(london.name) full weatherChanged"])
    #expect(rig.state.outgoingRequest(london)?.target.hasPrefix("/v2.6/{token}/") == true)
    rig.answer(london)
    #expect(rig.query { $0.weather.spec.file = "realtime.json" } == ["\(london.name) full weatherChanged"])
    #expect(rig.state.outgoingRequest(london)?.target.contains("/realtime.json?") == true)
  }

  @Test func takingAPlaceAwayCancelsItsRequest() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.weather.places = [Rig.place] }
    #expect(rig.query { $0.weather.places = [] } == ["weather.-0.4500,51.4700 cancel unwanted"])
  }

  @Test func aPlaceWantedAgainWithinFiveMinutesCostsNothing() {
    var rig = watching()
    rig.query { $0.weather.places = [] }
    rig.now += 240_000
    #expect(rig.query { $0.weather.places = [Rig.place] } == [])
  }

  // MARK: areaChanged another answer, narrowed less of the same

  @Test func anotherLanguageOrOtherUnitsOrMoreHoursAreAnotherAnswer() {
    for change: (inout WeatherSpec) -> Void in [
      { $0.language = "ja" }, { $0.unit = "SI" }, { $0 = WeatherSpec(hours: 49) }, { $0 = WeatherSpec(days: 6) },
    ] {
      var rig = watching()
      #expect(rig.query { change(&$0.weather.spec) } == ["weather.-0.4500,51.4700 full weatherChanged"])
      #expect(rig.state.scope(london)?.weather.isEmpty == false, "the old answer stays until the new one is there")
    }
  }

  @Test func lessOfTheSameIsServedAtOnce() throws {
    var rig = watching()
    #expect(rig.query { $0.weather.spec = WeatherSpec(includesAlerts: false, hours: 12, days: 1) } == [])
    #expect(rig.state.plan(london).rule == .narrowed)
  }

  @Test func otherLanguageWhileUnderWayTakesItsPlace() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.weather.places = [Rig.place] }
    #expect(
      rig.query { $0.weather.spec.language = "en_US" } == [
        "weather.-0.4500,51.4700 cancel superseded", "weather.-0.4500,51.4700 full first",
      ])
  }

  // MARK: due, fresh: an answer holds for five minutes

  @Test func theSamePlaceCostsOneRequestInFiveMinutes() {
    var rig = watching()
    #expect(rig.pass(seconds: 299) == [], "every minute is the frequency of other data")
    #expect(rig.send(.refreshRequested(full: false)) == [])
    #expect(rig.pass(seconds: 1) == ["weather.-0.4500,51.4700 delta due"])
  }

  @Test func aDemandForWhatStillHoldsLeavesNothingOwed() {
    var rig = watching()
    rig.send(.frequencyChanged(.none))
    rig.send(.refreshRequested(full: false))
    rig.now += 300_000
    #expect(rig.send(.clockTicked(scope: london, due: rig.now)) == ["weather.-0.4500,51.4700 expire"])
  }

  @Test func aDemandForWhatHasExpiredIsACondition() {
    var rig = watching()
    rig.send(.frequencyChanged(.none))
    rig.now += 300_000
    #expect(rig.send(.refreshRequested(full: false)) == ["weather.-0.4500,51.4700 delta requested"])
  }

  @Test func aFullRefreshAsksAtOnceAndWithoutCondition() {
    var rig = watching()
    #expect(rig.send(.refreshRequested(full: true)) == ["weather.-0.4500,51.4700 full refresh"])
  }

  @Test func aSlowerFrequencyIsKept() {
    var rig = watching()
    rig.send(.frequencyChanged(.minimal))
    #expect(rig.pass(seconds: 300) == ["weather.-0.4500,51.4700 expire"])
    #expect(rig.pass(seconds: 599) == [])
    #expect(rig.pass(seconds: 1) == ["weather.-0.4500,51.4700 delta due"])
  }

  @Test func notModifiedIsSuccessAndHoldsForFiveMinutesMore() {
    var rig = watching()
    rig.pass(seconds: 300)
    let held = rig.state.scope(london)?.weather
    #expect(rig.answer(london) == [])
    #expect(rig.state.scope(london)?.weather == held && rig.state.scope(london)?.lastSuccessAt == rig.now)
    #expect(rig.pass(seconds: 299) == [])
  }

  @Test func notModifiedSaysNothingAboutWhatWasFetchedWithOtherParameters() {
    var rig = watching()
    let since = rig.now
    rig.query { $0.weather.spec = WeatherSpec(hours: 12) }
    #expect(rig.pass(seconds: 300) == ["weather.-0.4500,51.4700 delta due"])
    #expect(rig.state.outgoingRequest(london)?.ifNoneMatch == nil, "the tag is that of another answer")
    rig.answer(london, status: 304)
    #expect(rig.state.scope(london)?.lastSuccessAt == since && rig.state.scope(london)?.retry.failures == 1)
    // The answer itself is taken, and confirmed from then on.
    rig.pass(seconds: 60)
    let answer = bytes(#"{"status":"ok","server_time":\#(rig.now / 1000),"result":{}}"#)
    rig.answer(london) {
      $0.status = 200
      $0.etag = "\"2\""
      $0.body = answer
    }
    #expect(rig.state.scope(london)?.have?.spec.weather == WeatherSpec(hours: 12))
    rig.pass(seconds: 300)
    #expect(rig.state.outgoingRequest(london)?.ifNoneMatch == "\"2\"")
    let later = rig.now
    rig.answer(london, status: 304)
    #expect(rig.state.scope(london)?.lastSuccessAt == later)
  }

  // MARK: expired expiry

  @Test func offlineTheExpiryIsSaidOnce() throws {
    var rig = watching()
    let since = rig.now
    rig.send(.connectivityChanged(isOnline: false))
    let wake = try #require(rig.state.nextWake)
    #expect(wake.at == since + 300_000 && wake.scope == london)
    #expect(rig.pass(seconds: 300) == ["weather.-0.4500,51.4700 expire"])
    guard case .decision(.weatherExpired(let expired)) = rig.records.last?.event else {
      Issue.record("the last line is \(String(describing: rig.records.last))")
      return
    }
    #expect(expired.since == since && expired.scope == london)
    #expect(rig.pass(seconds: 600) == [] && rig.send(.connectivityChanged(isOnline: false)) == [])
    #expect(rig.state.scope(london)?.weather.isEmpty == false && rig.state.nextWake == nil)
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["weather.-0.4500,51.4700 delta due"])
    rig.answer(london) { $0.etag = "\"2\"" }
    #expect(rig.state.scope(london)?.isExpired == false)
  }

  @Test func expiryIsNotSaidWhileARequestMayRenewIt() {
    var rig = watching()
    #expect(rig.pass(seconds: 300) == ["weather.-0.4500,51.4700 delta due"])
    #expect(rig.pass(seconds: 10) == [])
    #expect(rig.fail(london) == ["weather.-0.4500,51.4700 expire"])
  }

  @Test func whatIsUnwantedExpiresInSilence() {
    var rig = watching()
    rig.query { $0.weather.places = [] }
    #expect(rig.pass(seconds: 400) == [] && rig.state.nextWake == nil)
  }

  // MARK: Failures

  @Test func aRefusalIsReportedOnceAndTriedAgainLater() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.weather.places = [Rig.place] }
    let refused = bytes(#"{"status":"failed","error":"token is invalid","api_version":"v2.5"}"#)
    #expect(rig.answer(london) { $0.body = refused } == ["weather.-0.4500,51.4700 report backingOff weatherRefused"])
    #expect(rig.pass(seconds: 400) == ["weather.-0.4500,51.4700 full first"])
    #expect(rig.answer(london) { $0.body = refused } == [])
    rig.pass(seconds: 400)
    rig.answer(london)
    #expect(rig.state.scope(london)?.retry.failures == 0)
  }

  @Test func anAnswerThatIsNoneIsAFailure() {
    for text in [
      "[]", "{}", #"{"status":"ok"}"#, #"{"status":7,"result":{}}"#, #"{"status":"ok","result":{},"server_time":"x"}"#,
      #"{"status":"ok","result":{}"#,
    ] {
      var rig = watching()
      let held = rig.state.scope(london)?.weather
      rig.pass(seconds: 300)
      let followed = rig.answer(london) {
        $0.status = 200
        $0.body = bytes(text)
      }
      #expect(followed == ["weather.-0.4500,51.4700 expire"], "\(text)")
      #expect(rig.state.scope(london)?.retry.failures == 1 && rig.state.scope(london)?.weather == held, "\(text)")
    }
  }

  @Test func aStatusOfRefusalBlocksAsElsewhere() {
    var rig = watching()
    rig.pass(seconds: 300)
    #expect(
      rig.answer(london, status: 401) == [
        "weather.-0.4500,51.4700 report blocked unauthorized", "weather.-0.4500,51.4700 expire",
      ])
    #expect(rig.pass(seconds: 4000) == [])
    #expect(rig.send(.credentialsChanged) == ["weather.-0.4500,51.4700 delta due"])
  }

  @Test func aRefreshLiftsARefusalAlsoWhileTheWeatherIsValid() {
    var rig = watching()
    rig.send(.refreshRequested(full: true))
    rig.answer(london, status: 400)
    #expect(rig.state.scope(london)?.block == .badRequest)
    #expect(rig.send(.refreshRequested(full: false)).count == 1)
    #expect(rig.state.scope(london)?.block == nil && rig.state.scope(london)?.isInFlight == true)
  }

  @Test func theServicesTimeIsTheToken() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.weather.places = [Rig.place] }
    rig.answer(london) { $0.body = bytes(#"{"status":"ok","server_time":1618397000,"result":{}}"#) }
    #expect(rig.state.scope(london)?.have?.watermark == 1_618_397_000)
    rig.pass(seconds: 300)
    rig.answer(london) {
      $0.status = 200
      $0.body = bytes(#"{"status":"ok","result":{}}"#)
    }
    #expect(rig.state.scope(london)?.have?.watermark == rig.now / 1000)
  }

  // MARK: The log

  @Test func aSnapshotHoldsTheWeatherAndThatItHasExpired() throws {
    var rig = watching { $0.polygon = Rig.area }
    rig.answer()
    rig.send(.connectivityChanged(isOnline: false))
    for isExpired in [false, true] {
      if isExpired { rig.pass(seconds: 300) }
      #expect(rig.state.scope(london)?.isExpired == isExpired)
      var state = State()
      for (seq, part) in rig.state.snapshotParts.enumerated() {
        let event = Event.mark(.snapshotPart(part))
        let read = try Event(kind: event.kind.rawValue, payload: event.payload)
        #expect(read == event)
        state.evolve(Record(seq: Int64(seq), at: rig.now, event: read))
      }
      state.evolve(Record(seq: rig.state.nextSeq - 1, at: rig.now, event: .mark(.snapshotEnded)))
      #expect(state.digest == rig.state.digest)
      #expect(state.scope(london) == rig.state.scope(london))
      #expect(state.nextWake?.at == rig.state.nextWake?.at)
    }
  }

  @Test func weatherHasADigestOfItsOwn() {
    var rig = watching()
    let before = rig.state.digest
    #expect(before.scopes.map(\.scope) == [london])
    rig.now += 300_000
    rig.send(.clockTicked(scope: london, due: rig.now))
    rig.answer(london) {
      $0.status = 200
      $0.body = bytes(#"{"status":"ok","server_time":1,"result":{"a":1}}"#)
    }
    #expect(rig.state.digest.scopes != before.scopes)
  }

  @Test func aQueryWithoutWeatherIsWrittenAsBefore() throws {
    let plain = Event.input(.queryChanged(ResolvedQuery()))
    #expect(!String(decoding: plain.payload, as: UTF8.self).contains("weather"))
    #expect(!String(decoding: Rig.flying().state.controlJSON, as: UTF8.self).contains("weather"))
  }

  @Test func theDecisionsAreWrittenAsTheFormatSays() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.weather = .init(places: [Rig.place], spec: .init(language: "en_US", unit: "metric:v2", hours: 12)) }
    func last() -> String { String(decoding: rig.records.last?.event.payload ?? [], as: UTF8.self) }
    #expect(
      last() == #""request":1,"scope":"weather.-0.4500,51.4700","mode":"full","rule":"first","cause":2,"#
        + #""spec":{"language":"en_US","unit":"metric:v2","alerts":true,"hours":12,"days":5}"#)
    rig.answer(london)
    rig.send(.connectivityChanged(isOnline: false))
    rig.pass(seconds: 300)
    #expect(
      last() == #""scope":"weather.-0.4500,51.4700","rule":"expired","since":\#(Rig.start),"cause":\#(rig.state.cause)"#
    )
  }

  @Test func aRelaunchKeepsTheWeatherAndOwesARequestUnderWay() {
    var rig = watching()
    rig.pass(seconds: 300)
    let held = rig.state.scope(london)?.weather
    rig.now += 1000
    #expect(
      rig.launch() == ["weather.-0.4500,51.4700 expire", "weather.-0.4500,51.4700 delta due"])
    #expect(rig.state.scope(london)?.weather == held)
  }
}
