import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Testing

/// What holds for any flight. A seed that fails becomes a test by its name.
@Suite struct RandomFlightTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  static func rig(_ seed: UInt64, inputs: Int) -> Rig {
    var inFlight = RandomFlight(seed: seed)
    for _ in 0..<inputs {
      let input = inFlight.nextInput()
      _ = inFlight.send(input)
    }
    return inFlight.rig
  }

  @Test(arguments: UInt64(0)..<8)
  func whatWasRecordedReplaysTheSame(_ seed: UInt64) throws {
    let rig = Self.rig(seed, inputs: 150)
    let one = directory.file("one.jsonl")
    try rig.writeLog(to: one)
    try rig.writeLog(toDirectory: directory.file("many"), inputsPerSegment: 40)
    let results = [one, directory.file("many")].map { RecordingResult(replaying: $0) }
    #expect(results.allSatisfy { $0.outcome == .same }, "seed \(seed): \(RunReport(results).text(as: .text))")
    #expect(results[0].digest == results[1].digest)
    #expect(try RecordingDiff(one, directory.file("many")).isSame)
    #expect(results.allSatisfy { Verification(path: $0.path).fault == nil })
  }

  @Test(arguments: UInt64(100)..<104)
  func everyRequestHasAStory(_ seed: UInt64) throws {
    let path = directory.file("flight.jsonl")
    try Self.rig(seed, inputs: 60).writeLog(to: path)
    for line in try LogEditor.lines(path) where line.kind == "fetch.started" {
      let request = try #require(line.number("request"))
      let text = try RequestStory(path: path, request: request).text
      #expect(text.hasPrefix("request \(request): "))
      #expect(text.contains("\n  now       the same\n"), "seed \(seed), request \(request)")
    }
  }

  /// Lines that nothing vouches for, with a byte changed here and there: any outcome will do, but one there must be.
  @Test func noBytesMakeAnyCommandTrap() throws {
    var random = SplitMix64(seed: 2)
    let path = directory.file("flight.jsonl")
    try Self.rig(1, inputs: 40).writeLog(to: path, hasCRC: false)
    let whole = try TemporaryDirectory.contents(path)
    let alphabet = Array(#"0123456789-+.eE"\{}[]:,truefalsnl"#.utf8) + [0, 0x0A, 0x80, 0xFF]
    var outcomes: Set<Int32> = []
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "9"), count: 18), at: place)
        default: bytes[place] = alphabet.randomElement(using: &random) ?? 0
        }
      }
      try TemporaryDirectory.put(bytes, path)
      let result = RecordingResult(replaying: path)
      outcomes.insert(RunReport([result]).exitCode)
      _ = RunReport([result]).text(as: .text)
      _ = try? Inspection(path: path, at: .offset(.random(in: 0...100_000_000, using: &random))).text
      _ = try? RequestStory(path: path, request: .random(in: 1...9, using: &random))
      _ = try? Acceptance(path: path, rules: Rule.allCases, isStateMeant: true)
      _ = Verification(path: path).text
    }
    #expect(outcomes == [0, 1, 2])
  }
}
