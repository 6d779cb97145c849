import ContrailCore
import ContrailField
import ContrailLog
import ContrailWire
import Testing

@Suite struct ModelTests {
  @Test func everyModelOfTheProgramIsReadAndNamesItsSource() {
    #expect(LinkModel.all.map(\.name) == ["certus", "geo", "geo-bad", "leo", "air-to-ground"])
    #expect(Tariff.all.map(\.name) == ["volume", "session"])
    #expect(LinkModel.all.allSatisfy { !$0.source.isEmpty })
    #expect(Tariff.all.allSatisfy { $0.source.contains("example") })
  }

  @Test func completionsAreTheNamesAndTheFilesOfTheFolder() throws {
    let folder = String(#filePath.prefix(through: try #require(#filePath.lastIndex(of: "/"))))
    let found = completions(of: folder + "Mod", and: ["geo", "leo"])
    #expect(found.prefix(2) == ["geo", "leo"] && found.contains(folder + "ModelTests.swift"))
    let here = completions(of: "g", and: ["geo"])
    #expect(here.first == "geo" && here.allSatisfy { !$0.contains("/") })
  }

  @Test func anExchangeTakesLongerWithMoreBytesAndNeverLessThanARoundTrip() throws {
    let geo = try #require(LinkModel.named("geo"))
    for request in Int64(1)...50 {
      let short = geo.passage(at: 0, request: request, upBytes: 100, downBytes: 100, seed: 1)
      let long = geo.passage(at: 0, request: request, upBytes: 100, downBytes: 1_000_000, seed: 1)
      guard case .passed(_, let shortMS) = short, case .passed(_, let longMS) = long else {
        Issue.record("a link without outages timed out")
        continue
      }
      #expect(shortMS >= geo.roundTripMS.lowerBound)
      #expect(longMS >= shortMS + 1500)
      #expect(short == geo.passage(at: 0, request: request, upBytes: 100, downBytes: 100, seed: 1))
    }
  }

  @Test func outagesHaveTheLengthsOfTheModel() throws {
    let certus = try #require(LinkModel.named("certus"))
    let outages = try #require(certus.outages)
    var down: Int64 = 0
    for time in stride(from: Int64(0), to: 100 * outages.everyMS, by: 1000) {
      guard let end = certus.outageEnd(at: time, seed: 3) else { continue }
      down += 1000
      #expect(end > time)
      #expect(end - time <= outages.lengthMS.upperBound)
    }
    let share = Double(down) / Double(100 * outages.everyMS)
    let mean = Double(outages.lengthMS.lowerBound + outages.lengthMS.upperBound) / 2
    #expect(abs(share - mean / Double(outages.everyMS)) < 0.01)
  }

  @Test(arguments: [
    ("{}", "roundTripMS"), (#"{"roundTripMS":[1]}"#, "range"), (#"{"rtt":1}"#, "misspelt"),
    (#"{"roundTripMS":[1,2],"upBitsPerSecond":1,"downBitsPerSecond":1}"#, "source"), ("[", "byte"),
    (#"{"roundTripMS":[1,2],"upBitsPerSecond":1,"downBitsPerSecond":1,"source":"s"}{}"#, "byte"),
  ])
  func anInvalidModelIsRefusedWithItsReason(_ json: String, _ reason: String) {
    var text = ""
    do throws(InputError) {
      _ = try LinkModel(json: Array(json.utf8), name: "my.json")
    } catch {
      text = error.description
    }
    #expect(text.hasPrefix("my.json: "))
    #expect(text.contains(reason), "\(text)")
  }

  @Test func sessionsEndAfterAnIdleTimeAndHaveAMinimum() {
    var tariff = Tariff(name: "test")
    tariff.idleSeconds = 60
    tariff.minimumPerSessionMilli = 500
    tariff.perMBMilli = 1000
    tariff.stepBytes = 1000
    let exchanges: [Tariff.Session] = [
      .init(fromMS: 0, toMS: 1000, bytes: 300), .init(fromMS: 61_000, toMS: 62_000, bytes: 300),
      .init(fromMS: 200_000, toMS: 201_000, bytes: 2_000_001),
    ]
    let sessions = tariff.sessions(exchanges)
    #expect(sessions.map(\.bytes) == [600, 2_000_001])
    #expect(tariff.costMilli(sessions) == 500 + 2001)
  }

  @Test(arguments: [
    ("frequency", "none", "frequency=none"), ("history", "0.5h", "history=0.5h"), ("width", "80", "width=80"),
    ("width", "2000", "width=2000"), ("width", "0.1", "width=0.1"), ("from", "0m", "from=+0m"),
    ("types", "turbulence,pireps", "types=turbulence,pireps"), ("severities", "moderate", "severities=moderate"),
    ("viewport", "off", "viewport=off"), ("wire", "compact", "wire=compact"), ("link", "leo", "link=leo"),
    ("policy", "seed", "policy=seed"),
    ("from", "1h10m", "from=+70m"), ("until", "01:30:00", "from=+0m until=+90m"),
  ])
  func optionsAreReadAndNamed(_ option: String, _ value: String, _ name: String) throws {
    var alternative = Alternative()
    try alternative.set(option, value) { (name) throws(InputError) in
      guard let model = LinkModel.named(name) else { throw InputError(.model, at: name, "missing") }
      return model
    }
    #expect(alternative.name == name)
  }

  @Test func anAlternativeNamesWhatDiffersInOrder() {
    var alternative = Alternative()
    #expect(alternative.name == "recorded" && alternative.isRecorded)
    (alternative.frequency, alternative.history, alternative.widthMilliNM) = (.minimal, .sixHours, 62_500)
    (alternative.types, alternative.severities, alternative.hasNoViewport) = ([.pireps, .traffic], .all, true)
    (alternative.wire, alternative.policy, alternative.span) = (.json, .now, 600_000..<1_200_000)
    #expect(
      alternative.name
        == "frequency=minimal history=6h width=62.5 types=pireps,traffic severities=all viewport=off wire=json policy=now from=+10m until=+20m"
    )
    (alternative.types, alternative.severities, alternative.span) = ([], .atLeast(.moderate), 60_000..<Int64.max)
    #expect(alternative.name.contains(" types=none severities=moderate,moderate-severe "))
    #expect(alternative.name.hasSuffix(" policy=now from=+1m") && !alternative.isRecorded)
    #expect(DataHistoryTime.allCases.map(\.hours) == ["0.5", "1", "2", "4", "6"])
  }

  @Test func aPolicyContainsItsWire() throws {
    var alternative = Alternative()
    try alternative.set("policy", "before") { (name) throws(InputError) in throw InputError(.model, at: name, "") }
    #expect(alternative.offered == .json)
    #expect(throws: InputError.self) {
      try alternative.set("wire", "compact") { (name) throws(InputError) in throw InputError(.model, at: name, "") }
    }
  }

  @Test func delaysAreLearnedFromIntervals() {
    // Reports arrive within a minute of their observation, and are seen by the next of the answers that come every five minutes.
    let delays = ArrivalDelays(
      (0..<300).map { observed in
        let arrival = observed + 7 * observed % 60
        let before = arrival / 300 * 300
        return max(0, Int64(before - observed))...Int64(before + 299 - observed)
      })
    #expect(delays.delay(in: 0...299, quantile: 0.5) < 60)
    #expect(delays.delay(in: 0...299, quantile: 0.95) < 100)
    #expect((200...299).contains(delays.delay(in: 200...299, quantile: 0.5)))
  }

  @Test(arguments: [
    ("frequency", "often"), ("history", "3h"), ("width", "-1"), ("width", "2000.5"), ("width", "0.09"),
    ("types", "wind"), ("severities", ""),
    ("viewport", "8deg"), ("viewport", "shared"), ("policy", "old"), ("wire", "xml"), ("link", "pigeon"),
    ("from", "soon"), ("colour", "red"),
  ])
  func invalidOptionsAreRefused(_ option: String, _ value: String) {
    var alternative = Alternative()
    #expect(throws: InputError.self) {
      try alternative.set(option, value) { (name) throws(InputError) in
        throw InputError(.model, at: name, "missing")
      }
    }
  }
}
