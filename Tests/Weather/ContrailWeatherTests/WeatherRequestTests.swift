import ContrailGeodesy
import ContrailWeather
import Dispatch
import Foundation
import Testing

struct WeatherRequestTests {
  private let directory = TemporaryDirectory()
  private let clock = SetClock(Fixture.madeAt + 2)

  private func request(_ service: ScriptedService, token: String = Fixture.token) -> WeatherRequest {
    WeatherRequest(
      token: token, coordinate: Fixture.place, localContentURL: directory.url, transport: service, clock: clock.clock)
  }

  private func fault(_ body: () async throws -> Void) async -> WeatherError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? WeatherError
    }
  }

  @Test func theThreeWaysToMakeARequestAreEqual() {
    let first = WeatherRequest(token: "T", coordinate: Fixture.place)
    let second = WeatherRequest()
    second.endpoint = WeatherEndpoint(token: "T", coordinate: Fixture.place)
    let third = WeatherRequest()
    third.endpoint.token = "T"
    third.endpoint.coordinate = Fixture.place
    #expect(first.endpoint == second.endpoint)
    #expect(first.endpoint == third.endpoint)
    #expect(first.expiration == 300)
    #expect(first.localContentURL.lastPathComponent == "ContrailWeather")
  }

  @Test func theSamePlaceAskedTwiceWithinFiveMinutesCostsOneRequest() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer())])
    let request = request(service)
    let first = try await request.perform()
    #expect(first.source == .remote)
    #expect(first.ageSeconds == 2)
    clock.advance(290)
    let second = try await request.perform()
    #expect(second.source == .local)
    #expect(second.ageSeconds == 292)
    #expect(second.response == first.response)
    #expect(service.urls.count == 1)
  }

  @Test func anExpiredAnswerIsFetchedAnewAndReplaced() async throws {
    var later = ExampleAnswer.response()
    later.serverTime = Datetime1970Based(seconds: Fixture.madeAt + 400)
    let service = ScriptedService([.answer(200, try Fixture.answer()), .answer(200, try later.json())])
    let request = request(service)
    _ = try await request.perform()
    clock.advance(400)
    #expect(try await request.perform().source == .remote)
    let third = try await request.perform()
    #expect(third.source == .local)
    #expect(third.response == later)
    #expect(service.urls.count == 2)
  }

  @Test func askedOfflineAfterSixMinutesItSaysSoAndHowOldTheDataAre() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer()), .failure(URLError(.notConnectedToInternet))])
    let request = request(service)
    _ = try await request.perform()
    clock.advance(360)
    let error = await fault { _ = try await request.perform() }
    #expect(error?.code == .unreachable)
    #expect(error?.isTransient == true)
    #expect(error?.storedAgeSeconds == 362)
    #expect(error?.description.contains("the stored response is 6 min old") == true)
    let stale = try await request.perform(from: .local)
    #expect(stale.source == .local)
    #expect(stale.isExpired)
    #expect(stale.ageSeconds == 362)
  }

  @Test(
    arguments: [
      { $0.endpoint.language = .japanese }, { $0.endpoint.measurementSystem = .si }, { $0.endpoint.hourlyLength = 72 },
      { $0.endpoint.dailyLength = 3 }, { $0.endpoint.version = "v2.6" },
    ] as [@Sendable (WeatherRequest) -> Void])
  func anotherFormWithinFiveMinutesAsksTheService(change: @Sendable (WeatherRequest) -> Void) async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer()), .answer(200, try Fixture.answer())])
    let request = request(service)
    request.endpoint.language = .englishUS
    #expect(try await request.perform().differences == [])
    #expect(try await request.perform().source == .local)
    change(request)
    let kept = try await request.perform(from: .local)
    #expect(kept.differences.count == 1 && !kept.isExpired)
    let second = try await request.perform()
    #expect(second.source == .remote)
    #expect(second.differences == kept.differences)
    // The service has no such form, and isn't queried again for it.
    #expect(try await request.perform().source == .local)
    #expect(service.urls.count == 2)
  }

  @Test func anotherProcessAsksTheServiceForAFormThatIsntStored() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer()), .answer(200, try Fixture.answer())])
    #expect(try await request(service).perform().differences == [.language])
    #expect(try await request(service).perform().source == .remote)
  }

  @Test func theExpirationIsTheRequests() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer()), .answer(200, try Fixture.answer())])
    let request = request(service)
    request.expiration = 10
    _ = try await request.perform()
    clock.advance(8)
    #expect(try await request.perform().source == .remote)
  }

  /// The places are those of an aircraft.
  @Test func onlyTheUserReadsWhatIsStored() throws {
    let (store, place) = (WeatherStore(directory: directory.url), try RoundedCoordinate(Fixture.place))
    for _ in 0..<2 {
      try store.write(Fixture.answer(), for: place)
      let attributes = try FileManager.default.attributesOfItem(atPath: store.url(for: place).path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try store.read(place) == Fixture.answer())
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path) == [place.key])
  }

  @Test func aDamagedFileIsNoReasonToFail() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer())])
    let store = WeatherStore(directory: directory.url)
    try store.write(Fixture.data("{"), for: RoundedCoordinate(Fixture.place))
    let request = request(service)
    #expect(await fault { _ = try await request.perform(from: .local) }?.code == .malformed)
    #expect(try await request.perform().source == .remote)
    #expect(try await request.perform().source == .local)
  }

  @Test func explicitlyLocalNeverAsksTheService() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer())])
    let request = request(service)
    let error = await fault { _ = try await request.perform(from: .local) }
    #expect(error?.code == .nothingStored)
    #expect(error?.field == "112.8641,35.4904")
    #expect(service.urls.isEmpty)
  }

  @Test func explicitlyRemoteAsksTheServiceThoughTheStoredAnswerHolds() async throws {
    let service = ScriptedService([.answer(200, try Fixture.answer()), .answer(200, try Fixture.answer())])
    let request = request(service)
    _ = try await request.perform()
    #expect(try await request.perform(from: .remote).source == .remote)
    #expect(service.urls.count == 2)
  }

  @Test func anotherPlacesFileIsNotThisPlaces() async throws {
    let request = request(ScriptedService([]))
    let elsewhere = Coordinate(latitude: 1, longitude: 2)
    try WeatherStore(directory: directory.url).write(Fixture.answer(), for: RoundedCoordinate(elsewhere))
    request.endpoint.coordinate = elsewhere
    #expect(await fault { _ = try await request.perform(from: .local) }?.code == .storedForAnotherPlace)
    let error = await fault { _ = try await request.perform() }
    #expect(error?.code == .unreachable)
    #expect(error?.storedAgeSeconds == nil)
  }

  @Test(arguments: [
    (35.9904, 112.8641), (35.4904, 113.3641), (34.9904, 112.8641), (-35.4904, 112.8641), (35.4904, -112.8641),
    (112.8641, 35.4904), (35.5010, 112.8641), (.infinity, 0),
  ])
  func anAnswerForAnotherPlaceIsAnErrorAndNotStored(latitude: Double, longitude: Double) async throws {
    var elsewhere = ExampleAnswer.response()
    elsewhere.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    let text = String(decoding: try Fixture.answer(), as: UTF8.self)
      .replacingOccurrences(of: #""location":[35.4904,112.8641]"#, with: #""location":[\#(latitude),\#(longitude)]"#)
    let body =
      latitude.isFinite ? try elsewhere.json() : Fixture.data(text.replacingOccurrences(of: "inf", with: "400"))
    let request = request(ScriptedService([.answer(200, try Fixture.answer()), .answer(200, body)]))
    _ = try await request.perform()
    clock.advance(400)
    let error = try #require(await fault { _ = try await request.perform() })
    #expect(error.code == .answeredForAnotherPlace)
    #expect(error.field == "112.8641,35.4904")
    #expect(error.storedAgeSeconds == 402)
    #expect(!error.isTransient)
    #expect(try await request.perform(from: .local).response == ExampleAnswer.response())
  }

  @Test func theErrorNamesTheOtherPlaceAndItsDistance() async throws {
    var elsewhere = ExampleAnswer.response()
    elsewhere.coordinate = Coordinate(latitude: 35.9904, longitude: 112.8641)
    let request = request(ScriptedService([.answer(200, try elsewhere.json())]))
    let error = await fault { _ = try await request.perform(from: .remote) }
    #expect(error?.reason == "the response is for 112.8641,35.9904, 56 km away")
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }

  @Test(arguments: [(35.4904, 112.8641), (35.490412, 112.864087), (35.4904, 112.8641 - 360), (35.4950, 112.8700)])
  func anAnswerForThePlaceWithinAKilometreIsThePlaces(latitude: Double, longitude: Double) async throws {
    var near = ExampleAnswer.response()
    near.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    let request = request(ScriptedService([.answer(200, try near.json())]))
    #expect(try await request.perform().source == .remote)
  }

  @Test func anAnswerThatStatesNoPlaceIsThePlaces() async throws {
    var placeless = ExampleAnswer.response()
    placeless.coordinate = nil
    let request = request(ScriptedService([.answer(200, try placeless.json())]))
    #expect(try await request.perform().response == placeless)
  }

  @Test func theFileHoldsTheAnswerAsItCame() async throws {
    let body = Fixture.data(String(decoding: try Fixture.answer(), as: UTF8.self) + "\n ")
    let request = request(ScriptedService([.answer(200, body)]))
    #expect(try await request.perform().storingError == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == ["112.8641,35.4904"])
    #expect(try Data(contentsOf: directory.url.appendingPathComponent("112.8641,35.4904")) == body)
    #expect(try await request.fetchData(from: .local) == body)
  }

  @Test func fetchingDataNeitherDecodesNorStores() async throws {
    let request = request(ScriptedService([.answer(200, Fixture.data("anything"))]))
    #expect(try await request.fetchData(from: .remote) == Fixture.data("anything"))
    #expect(await fault { _ = try await request.fetchData(from: .local) }?.code == .nothingStored)
  }

  @Test func anAnswerThatCantBeStoredIsAnAnswerAllTheSame() async throws {
    let request = request(ScriptedService([.answer(200, try Fixture.answer())]))
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let file = directory.url.appendingPathComponent("file")
    try Data().write(to: file)
    request.localContentURL = file.appendingPathComponent("under a file")
    let answer = try await request.perform()
    #expect(answer.source == .remote)
    #expect(answer.storingError?.code == .notStored)
  }

  @Test func failuresAreNotStored() async throws {
    let refusal = #"{"status":"failed","error":"token is invalid","api_version":"v2.5"}"#
    let request = request(ScriptedService([.answer(200, Fixture.data(refusal)), .answer(200, Fixture.data("<html>"))]))
    let first = await fault { _ = try await request.perform() }
    #expect(first?.code == .refused)
    #expect(first?.reason.contains("token is invalid") == true)
    #expect(first?.isTransient == false)
    #expect(await fault { _ = try await request.perform() }?.code == .malformed)
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }

  @Test(arguments: [(500, true), (503, true), (429, true), (408, true), (404, false), (401, false), (301, false)])
  func aStatusThatIsntSuccessIsAnErrorWithTheServicesReason(status: Int, isTransient: Bool) async {
    let service = ScriptedService([
      .answer(status, Fixture.data("")), .answer(status, Fixture.data(#"{"status":"failed","error":"because"}"#)),
    ])
    let request = request(service)
    let bare = await fault { _ = try await request.perform() }
    #expect(bare?.code == .httpStatus)
    #expect(bare?.status == status)
    #expect(bare?.isTransient == isTransient)
    let reasoned = await fault { _ = try await request.perform() }
    #expect(reasoned?.code == .refused)
    #expect(reasoned?.status == status)
    #expect(reasoned?.isTransient == isTransient)
    #expect(reasoned?.reason.contains("because") == true)
  }

  @Test func withoutATokenNothingIsSent() async {
    let service = ScriptedService([])
    let request = WeatherRequest(localContentURL: directory.url, transport: service, clock: clock.clock)
    #expect(await fault { _ = try await request.perform() }?.code == .missingToken)
    #expect(service.urls.isEmpty)
  }

  @Test func theTokenReachesNeitherErrorsNorFiles() async throws {
    struct Telltale: Error, CustomStringConvertible {
      var description: String { "could not get https://x/\(Fixture.token)" }
    }
    let (token, encoded) = (Fixture.token, Fixture.encodedToken)
    var talkative = ExampleAnswer.response()
    talkative.result.keypoint = "for \(encoded)"
    let steps: [ScriptedService.Step] = [
      .failure(Telltale()),
      .failure(WeatherError(.unreachable, at: "/v2.5/\(encoded)/", reason: "no way to \(token)")),
      .answer(200, Fixture.data(#"{"status":"failed","error":"\#(token) is invalid, so is \#(encoded)"}"#)),
      .answer(403, Fixture.data(#"{"status":"failed","error":"\#(token) is invalid"}"#)),
      .answer(200, Fixture.data(#"{"status":"ok","unit":"metric","result":{"realtime":{"wind":"\#(token)"}}}"#)),
    ]
    let request = request(ScriptedService(steps + [.answer(200, try talkative.json())]))
    for _ in steps {
      let error = try #require(await fault { _ = try await request.perform() })
      let text = "\(error) \(String(reflecting: error)) \(error.advice)"
      #expect(!text.contains(token) && !text.contains(encoded), "\(error.code)")
    }
    let answer = try await request.perform()
    #expect(answer.storingError?.code == .notStored)
    #expect(!FileManager.default.fileExists(atPath: directory.url.path))
  }

  @Test func aCancelledTransportIsACancelledRequest() async {
    let request = request(ScriptedService([.failure(CancellationError())]))
    #expect(await fault { _ = try await request.perform() }?.code == .cancelled)
  }

  @Test func aFunctionCanCarryTheRequest() async throws {
    let body = try Fixture.answer()
    let request = WeatherRequest(
      token: "T", coordinate: Fixture.place, localContentURL: directory.url,
      transport: WeatherTransportFunction { url in
        #expect(url.absoluteString.hasPrefix("https://api.caiyunapp.com/v2.5/T/112.8641,35.4904/weather.json?"))
        return (200, body)
      }, clock: clock.clock)
    #expect(try await request.perform().response.measured.realtime?.wind?.beaufort.force == 3)
  }
}

/// The seed's calls with completion handlers.
struct CompletionHandlerTests {
  private static let mark = DispatchSpecificKey<String>()
  private let directory = TemporaryDirectory()
  private let clock = SetClock(Fixture.madeAt + 2)
  private let queue = DispatchQueue(label: "test")

  init() {
    queue.setSpecific(key: Self.mark, value: "the caller's")
  }

  private func request(_ steps: [ScriptedService.Step]) -> WeatherRequest {
    let request = WeatherRequest(
      token: Fixture.token, coordinate: Fixture.place, localContentURL: directory.url,
      transport: ScriptedService(steps), clock: clock.clock)
    request.queue = queue
    return request
  }

  @Test func performGivesResponseAndSourceOnTheQueue() async throws {
    let request = request([.answer(200, try Fixture.answer())])
    for expected in [WeatherRequest.DataSource.remote, .local] {
      await withCheckedContinuation { continuation in
        request.perform { response, source, error in
          #expect(DispatchQueue.getSpecific(key: Self.mark) == "the caller's")
          #expect(response == ExampleAnswer.response())
          #expect(source == expected)
          #expect(error == nil)
          continuation.resume()
        }
      }
    }
  }

  @Test func performGivesTheErrorAndWhereItArose() async {
    let request = request([])
    for expected in WeatherRequest.DataSource.allCases {
      await withCheckedContinuation { continuation in
        request.perform(from: expected) { response, source, error in
          #expect(response == nil)
          #expect(source == expected)
          #expect(error?.code == (expected == .local ? .nothingStored : .unreachable))
          continuation.resume()
        }
      }
    }
  }

  @Test func dataAreFetchedAndDecoded() async throws {
    let request = request([.answer(200, try Fixture.answer())])
    let data = await withCheckedContinuation { continuation in
      request.fetchData(from: .remote) { data, error in
        #expect(error == nil)
        continuation.resume(returning: data)
      }
    }
    let fetched = try #require(data)
    await withCheckedContinuation { continuation in
      request.decode(fetched) { response, error in
        #expect(DispatchQueue.getSpecific(key: Self.mark) == "the caller's")
        #expect(response == ExampleAnswer.response())
        #expect(error == nil)
        continuation.resume()
      }
    }
    await withCheckedContinuation { continuation in
      request.decode(Fixture.data("[]")) { response, error in
        #expect(response == nil)
        #expect(error?.code == .malformed)
        continuation.resume()
      }
    }
  }

  @Test func theExampleIsAnAnswer() async throws {
    let request = request([])
    let example = await withCheckedContinuation { continuation in
      request.fetchExampleData { data, _ in continuation.resume(returning: data) }
    }
    #expect(try request.decode(#require(example)) == ExampleAnswer.response())
    #expect(try await request.fetchExampleData() == example)
  }

  /// The seed: "a response from caiyunapp.com API, at date of 2021-04-14 and coordinate of (112.8641, 35.4904), which
  /// is located in Jincheng, Shanxi, China".
  @Test func theExampleIsJinchengAsTheSeedSays() async throws {
    let request = request([])
    let response = try request.decode(await request.fetchExampleData())
    #expect(response.coordinate == Coordinate(latitude: 35.4904, longitude: 112.8641))
    #expect(response.isFor(try RoundedCoordinate(Coordinate(latitude: 35.4904, longitude: 112.8641))))
    #expect(response.version == "v2.5" && response.responseStatus == "ok")
    #expect(response.serverTimeZoneName == "Asia/Shanghai" && response.serverTimeZone?.secondsFromGMT == 28_800)
    let first = try #require(response.result.hourly?.temperature?.first?.datetime)
    #expect(first.description == "2021-04-14T09:00+08:00" && first.time == response.serverTime?.time)
    #expect(response.result.daily?.astronomy?.first?.date.description == "2021-04-14T00:00+08:00")
    #expect(response.result.alert?.content?.first?.city == "Jincheng")
  }
}
