import ContrailLog
import Testing

@testable import ContrailField

/// Models of links and tariffs: what is read from a file, how long an exchange takes, and what it costs.
@Suite struct LinkTests {
  // MARK: Exchanges

  private func link(loss: Int64 = 0, outages: LinkModel.Outages? = nil) -> LinkModel {
    LinkModel(
      name: "a", roundTripMS: 600...600, upBitsPerSecond: 8000, downBitsPerSecond: 80_000, lossPerMille: loss,
      outages: outages)
  }

  private func passage(_ link: LinkModel, at time: Int64 = 0, request: Int64 = 1, up: Int64, down: Int64)
    -> LinkModel.Passage
  {
    link.passage(at: time, request: request, upBytes: up, downBytes: down, seed: 1)
  }

  @Test func anExchangeTakesARoundTripAndTheTimeOfItsBytes() {
    #expect(passage(link(), up: 0, down: 0) == .passed(upMS: 300, totalMS: 600))
    #expect(passage(link(), up: 1000, down: 0) == .passed(upMS: 1300, totalMS: 1600))
    #expect(passage(link(), up: 1000, down: 5000) == .passed(upMS: 1300, totalMS: 2100))
    // It is given up after thirty seconds.
    #expect(passage(link(), up: 29_400, down: 0) == .passed(upMS: 29_700, totalMS: 30_000))
    #expect(passage(link(), up: 29_401, down: 0) == .timedOut(afterMS: 30_000))
  }

  @Test func aLostPacketCostsARoundTrip() {
    var losses: [Int64: Int] = [:]
    for request in Int64(1)...400 {
      guard case .passed(_, let total) = passage(link(loss: 500), request: request, up: 0, down: 14_000) else {
        Issue.record("it timed out")
        continue
      }
      let lost = total - 600 - 1400
      #expect(lost % 600 == 0 && (0...12).contains(lost / 600))
      losses[lost / 600, default: 0] += 1
    }
    // Of two packets of heads and ten of data, a half is lost.
    let mean = Double(losses.reduce(0) { $0 + Int($1.key) * $1.value }) / 400
    #expect(abs(mean - 6) < 0.3)
    #expect(passage(link(loss: 0), up: 0, down: 14_000) == .passed(upMS: 300, totalMS: 2000))
  }

  @Test func anExchangeInAnOutageWaitsForItsEnd() throws {
    let link = link(outages: .init(everyMS: 100_000, lengthMS: 20_000...20_000))
    let starts = (Int64(0)..<100_000).filter { link.outageEnd(at: $0, seed: 1) != nil }
    let (first, last) = (try #require(starts.first), try #require(starts.last))
    #expect(starts.count == 20_000 && last - first == 19_999)
    #expect(link.outageEnd(at: first, seed: 1) == first + 20_000)
    #expect(passage(link, at: last, up: 0, down: 0) == .passed(upMS: 301, totalMS: 601))
    #expect(passage(link, at: first, up: 0, down: 0) == .passed(upMS: 20_300, totalMS: 20_600))
    #expect(passage(link, at: first, up: 10_000, down: 0) == .timedOut(afterMS: 30_000))
    #expect(passage(link, at: first + 20_000, up: 0, down: 0) == .passed(upMS: 300, totalMS: 600))
    #expect(self.link().outageEnd(at: first, seed: 1) == nil)
  }

  // MARK: Files

  private static let members = [
    #""name":"n""#, #""title":"t""#, #""source":"s""#, #""roundTripMS":[1,2]"#, #""upBitsPerSecond":3"#,
    #""downBitsPerSecond":4"#, #""lossPerMille":999"#, #""outages":{"everyMS":1000,"lengthMS":[5,999]}"#,
  ]

  private func model(_ members: [String]) throws(InputError) -> LinkModel {
    try LinkModel(json: Array("{\(members.joined(separator: ","))}".utf8), name: "my.json")
  }

  @Test func everyMemberOfAModelIsRead() throws {
    let model = try model(Self.members)
    #expect(model.name == "n" && model.title == "t" && model.source == "s")
    #expect(model.roundTripMS == 1...2 && model.upBitsPerSecond == 3 && model.downBitsPerSecond == 4)
    #expect(model.lossPerMille == 999 && model.outages == .init(everyMS: 1000, lengthMS: 5...999))
    let fewest = try self.model(["\"roundTripMS\":[2,2]"] + Array(Self.members[1..<3]) + Self.members[4..<6])
    #expect(
      fewest.name == "my.json" && fewest.roundTripMS == 2...2 && fewest.lossPerMille == 0 && fewest.outages == nil)
  }

  @Test(arguments: [
    (3, ""), (4, ""), (5, ""), (2, ""), (4, #""upBitsPerSecond":0"#), (5, #""downBitsPerSecond":1000000000001"#),
    (6, #""lossPerMille":1000"#), (6, #""lossPerMille":-1"#), (3, #""roundTripMS":[2,1]"#),
    (7, #""outages":{"everyMS":999,"lengthMS":[5,6]}"#), (7, #""outages":{"everyMS":1000,"lengthMS":[5,1000]}"#),
    (7, #""outages":{"everyMS":1000,"lengthMS":[5,6],"a":1}"#),
    (7, #""outages":{"everyMS":86400001,"lengthMS":[5,6]}"#), (7, #""outages":{"everyMS":1000}"#),
    (7, #""outages":{"lengthMS":[0,0]}"#), (3, #""roundTripMS":[1]"#), (3, #""roundTripMS":[1,2,3]"#),
  ])
  func aModelWithAMissingOrWrongMemberIsRefused(_ place: Int, _ member: String) {
    var members = Self.members
    members[place] = member
    let error = #expect(throws: InputError.self) { try model(members.filter { !$0.isEmpty }) }
    #expect(error?.description.hasPrefix("my.json: ") == true)
  }

  private static let tariff = [
    #""name":"n""#, #""title":"t""#, #""source":"s""#, #""currency":"EUR""#, #""perMB":2.5"#,
    #""minimumPerSession":0.75"#,
    #""stepBytes":1000"#, #""idleSeconds":0"#,
  ]

  private func tariff(_ members: [String]) throws(InputError) -> Tariff {
    try Tariff(json: Array("{\(members.joined(separator: ","))}".utf8), name: "my.json")
  }

  @Test func everyMemberOfATariffIsRead() throws {
    let tariff = try tariff(Self.tariff)
    #expect(tariff.name == "n" && tariff.title == "t" && tariff.source == "s" && tariff.currency == "EUR")
    #expect(tariff.perMBMilli == 2500 && tariff.minimumPerSessionMilli == 750)
    #expect(tariff.stepBytes == 1000 && tariff.idleSeconds == 0)
    let least = try self.tariff([Self.tariff[2], Self.tariff[3]])
    #expect(least.name == "my.json" && least.stepBytes == 1 && least.idleSeconds == 60)
    #expect(least.costMilli([.init(fromMS: 0, toMS: 1, bytes: 5)]) == 0)
  }

  @Test(arguments: [
    (2, ""), (3, ""), (4, #""perMB":-1"#), (4, #""perMB":1000001"#), (6, #""stepBytes":0"#),
    (6, #""stepBytes":1000000001"#), (7, #""idleSeconds":-1"#), (7, #""idleSeconds":86401"#), (7, #""idle":1"#),
  ])
  func aTariffWithAMissingOrWrongMemberIsRefused(_ place: Int, _ member: String) {
    var members = Self.tariff
    members[place] = member
    let error = #expect(throws: InputError.self) { try tariff(members.filter { !$0.isEmpty }) }
    #expect(error?.description.hasPrefix("my.json: ") == true)
  }

  // MARK: Cost

  @Test func exchangesThatOverlapAreOneSession() {
    var tariff = Tariff(name: "t")
    tariff.idleSeconds = 10
    func session(_ from: Int64, _ to: Int64) -> Tariff.Session { .init(fromMS: from, toMS: to, bytes: 7) }
    // The second ends before the first; the third begins when the time is over, the fourth a moment later.
    let sessions = tariff.sessions([
      session(0, 5000), session(1000, 2000), session(15_000, 16_000), session(26_001, 26_002),
    ])
    #expect(sessions.map { $0.fromMS } == [0, 26_001])
    #expect(sessions.map { $0.toMS } == [16_000, 26_002])
    #expect(sessions.map { $0.bytes } == [21, 7])
    #expect(tariff.sessions([]).isEmpty)
  }

  @Test func bytesAreRoundedUpToStepsAndCostAtLeastTheMinimum() {
    var tariff = Tariff(name: "t")
    (tariff.perMBMilli, tariff.stepBytes, tariff.minimumPerSessionMilli) = (2_000_000, 1000, 3000)
    func cost(_ bytes: Int64...) -> Int64 { tariff.costMilli(bytes.map { .init(fromMS: 0, toMS: 1, bytes: $0) }) }
    #expect(cost(0) == 3000 && cost(1000) == 3000 && cost(1001) == 4000 && cost(2000) == 4000 && cost(2001) == 6000)
    #expect(cost(1, 2001) == 9000 && cost() == 0)
  }
}
