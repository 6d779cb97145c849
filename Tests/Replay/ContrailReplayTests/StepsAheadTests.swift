import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

/// What comes of a replay mustn't depend on how many threads take part.
@Suite struct StepsAheadTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func compare(_ path: String, _ note: String = "") -> RecordingResult {
    let alone = RecordingResult(replaying: path)
    let together = RecordingResult(replaying: path, threads: 2)
    #expect(alone.outcome == together.outcome, "\(note)")
    #expect(alone.digest == together.digest && alone.held == together.held, "\(note)")
    #expect(alone.statistics == together.statistics, "\(note)")
    #expect(alone.setAside == together.setAside, "\(note)")
    #expect(alone.byteCount == together.byteCount, "\(note)")
    return together
  }

  @Test func aSampleOfManyBatchesIsTheSame() throws {
    let path = directory.file("sample.jsonl")
    try SampleLog(byteCount: 1_500_000, seed: 5, reportsPerMinute: 20).write(to: path)
    let result = compare(path)
    #expect(result.outcome == .same && result.held.count > 2000)
    #expect(result.statistics.deltas > 100 && result.statistics.fulls == 1)
  }

  @Test func aSampleIsAFunctionOfItsSeed() throws {
    let digests = try [UInt64(7), 7, 8].enumerated().map { (index, seed) in
      let path = directory.file("\(index).jsonl")
      try SampleLog(byteCount: 200_000, seed: seed, reportsPerMinute: 5).write(to: path)
      return try #require(RecordingResult(replaying: path).digest)
    }
    #expect(digests[0] == digests[1] && digests[0] != digests[2])
  }

  @Test func damageIsToldAtTheSameLine() throws {
    let path = directory.file("flight.jsonl")
    try Flights.widened().writeLog(to: path)
    let bytes = try TemporaryDirectory.contents(path)
    for seed in UInt64(0)..<40 {
      var random = SplitMix64(seed: seed)
      var damaged = bytes
      let place = Int.random(in: damaged.indices, using: &random)
      if random.chance(50) { damaged[place] ^= 0x04 } else { damaged.removeSubrange(place...) }
      let copy = directory.file("damaged-\(seed).jsonl")
      try TemporaryDirectory.put(damaged, copy)
      _ = compare(copy, "seed \(seed)")
    }
  }

  @Test func whoStopsEarlyLeavesNoThreadBehind() throws {
    let path = directory.file("sample.jsonl")
    try SampleLog(byteCount: 1_000_000, reportsPerMinute: 10).write(to: path)
    // An unreadable line in the first batch ends the fold while the other thread still reads.
    var bytes = try TemporaryDirectory.contents(path)
    let place = try #require(bytes.firstRange(of: Array(#""rule":""#.utf8))).upperBound
    bytes[place] = UInt8(ascii: "Q")
    let copy = directory.file("copy.jsonl")
    try TemporaryDirectory.put(bytes, copy)
    for _ in 0..<10 { _ = compare(copy) }
  }
}
