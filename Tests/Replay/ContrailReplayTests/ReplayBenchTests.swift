import ContrailReplay
import ContrailTestSupport
import Testing

@Suite struct ReplayBenchTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("flight.jsonl")
    try Flights.widened().writeLog(to: path)
  }

  /// A clock that says, one after the other, when each repetition begins and ends.
  func instruments(_ times: [Int64]) -> ReplayBench.Instruments {
    var times = times[...]
    return .init(clock: { times.popFirst() ?? 0 }, peakMemory: { 18_000_000 })
  }

  @Test func medianAndSpreadOfTheRepetitions() throws {
    let ms: Int64 = 1_000_000
    // The warm-up takes a time too, which doesn't count, and is asked for only once.
    let bench = try ReplayBench(
      path: path, warmUps: 1, repetitions: 3, byStage: false,
      with: instruments([0, 0, 10 * ms, 20 * ms, 32 * ms, 40 * ms, 59 * ms]))
    #expect(bench.times == [10 * ms, 12 * ms, 19 * ms])
    #expect(bench.median == 12 * ms && bench.spread == 2 * ms)
    #expect(
      bench.text.without(directory) == """
        flight.jsonl  25 events, 1,182 records, 100 KB, same, digest a80b5532
          time     12 ms, spread ±2 ms, 10 ms to 19 ms in 3 repetitions after 1 warm-up
          speed    8.3 MB/s, 2,083 events/s, 98,500 records/s, 10152.2 ns/record
          memory   18 MB peak resident memory
          count    instructions: unknown

        """)
    #expect(
      ReplayBench.json([bench]).without(directory) == """
        [{"path":"flight.jsonl","events":25,"records":1182,"bytes":99669,"threads":1,"warmUps":1,"repetitions":3,"medianNS":12000000,\
        "spreadNS":2000000,"minNS":10000000,"maxNS":19000000,"bytesPerSecond":8305750,"eventsPerSecond":2083,\
        "recordsPerSecond":98500,"peakMemoryBytes":18000000,"nsPerRecord":10152.2,"same":true,"digest":"a80b5532717cb6e1",\
        "held":469,"heldChecksum":"b683bdc33f9cfaa3"}]

        """)
  }

  @Test func instructionsAreTheMeanOfARepetition() throws {
    var count: Int64 = 1000
    let bench = try ReplayBench(
      path: path, warmUps: 1, repetitions: 4, byStage: false,
      with: .init(
        clock: { 0 }, peakMemory: { nil },
        instructions: {
          defer { count += 8_000_000 }
          return count
        }))
    #expect(bench.instructions == 2_000_000)
    #expect(bench.text.contains("  count    2,000,000 instructions\n"))
    #expect(ReplayBench.json([bench]).contains(#""instructions":2000000,"#))
  }

  @Test func everyStageIsTimed() throws {
    var now: Int64 = 0
    let clock = ReplayBench.Instruments(
      clock: {
        now += 1
        return now
      }, peakMemory: { nil })
    let bench = try ReplayBench(path: path, warmUps: 0, repetitions: 1, byStage: true, with: clock)
    let stages = try #require(bench.stages)
    #expect(stages.all.map(\.name) == ["read", "crc", "frame", "decode", "apply", "plan", "digest"])
    #expect(stages.all.allSatisfy { $0.nanoseconds >= 0 })
    #expect(stages.plan == 25 && stages.digest == 10)
    #expect(bench.peakMemory == nil)
    #expect(!bench.text.contains("resident"))
  }

  @Test func whatCannotBeReadIsSaid() {
    #expect(throws: UnreadableRecording.self) {
      try ReplayBench(
        path: directory.file("nothing.jsonl"), warmUps: 0, repetitions: 1, byStage: false, with: instruments([]))
    }
  }
}
