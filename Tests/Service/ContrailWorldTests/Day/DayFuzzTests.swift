import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// Whatever a file holds, it is served or refused: nothing in it ends the server.
@Suite struct DayFuzzTests {
  private let fixture: DayFixture

  init() throws {
    fixture = try DayFixture()
  }

  /// What damage puts in place of a stretch.
  private static let spoils = [
    "", "null", "0", "-0", "-1", "9223372036854775807", "-9223372036854775808", "1e18", "-1e400", "1e-400", "\"\"",
    "\" \"",
    "\"-\"", "\"+-5\"", "\"00\"", "[]", "{}", "[[[[]]]]", "true", "\"2026-99-99T99:99\"",
    "\"1970-01-01T00:00+23:59\"",
    "\"9999-12-31T23:59:59Z\"", "\"\u{0664}\"", "\\", "\"", "\n", "180", "-180", "90", "-90", "361",
  ]

  /// The tokens of JSON, one after the other.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    var isText = false
    var isWord = false
    for character in text {
      let continues = character.isLetter || character.isNumber || character == "." || character == "-"
      if isText || (continues && isWord) {
        tokens[tokens.count - 1].append(character)
        if character == "\"" { isText = false }
        continue
      }
      tokens.append(String(character))
      isText = character == "\""
      isWord = continues
    }
    return tokens
  }

  private func damaged(_ text: String, _ random: inout SplitMix64) -> String {
    var tokens = Self.tokens(text)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<tokens.count, using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0: tokens.remove(at: index)
      case 1: tokens = Array(tokens[..<max(index, 1)])
      case 2: tokens.insert(tokens[Int.random(in: 0..<tokens.count, using: &random)], at: index)
      default:
        // The next value, which is neither punctuation nor a key.
        let values = tokens.indices.filter { place in
          tokens[place].count > 1 && !(place + 1 < tokens.count && tokens[place + 1] == ":")
        }
        guard let value = values.first(where: { $0 >= index }) ?? values.first else { continue }
        tokens[value] = Self.spoils.randomElement(using: &random) ?? ""
      }
    }
    return tokens.joined()
  }

  @Test(arguments: 1...4) func damageIsCountedOrRefused(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let pireps =
      "[\(DayFixture.pirep(["tbInt1": #""MOD""#, "tbBas1": "200", "tbTop1": "300"])),\(DayFixture.pirep())]"
    let states = DayFixture.states([DayFixture.state("a"), DayFixture.state("b")])
    let sigmets = "[\(DayFixture.gAirmet()),\(DayFixture.sigmet())]"
    var served = 0
    var refused = 0
    for round in 0..<150 {
      let whole = [pireps, states, sigmets]
      let text = damaged(whole[round % 3], &random)
      let path = try fixture.file("damaged", text)
      do throws(DayError) {
        let paths = [[path], [], []]
        let day = try RecordedDay(
          pireps: paths[round % 3], states: paths[(round + 2) % 3], sigmets: paths[(round + 1) % 3])
        served += 1
        for clock in DayClock.allCases {
          let (world, offset) = RecordedWorld.placed(day, clock: clock, start: Samples.noon * 1000, rewindSeconds: 0)
          let service = ObservationService(world: world, retentionSeconds: 43_200)
          let now = Samples.noon + offset / 1000
          let ring = Samples.rectangle(west: -179, south: -80, east: 179, north: 80)
          let request = ObservationsRequest(ring: ring, filter: Filter(types: .areaTypes, history: .sixHours))
          let answer = try? await service.observations(request, now: now)
          #expect(answer?.held == answer.map { Samples.sum($0.reports) }, "\(text)")
          _ = await service.polygons(PolygonsRequest(history: .sixHours, ring: ring), now: now)
        }
      } catch {
        refused += 1
        #expect(error.file == path)
      }
    }
    #expect(served > 30 && refused > 10, "damage of both kinds: \(served) served, \(refused) refused")
  }
}
