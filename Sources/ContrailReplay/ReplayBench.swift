import ContrailCore
import ContrailLog
public import ContrailWire

/// How fast a recording is replayed: warm-up, repetitions, median and spread.
///
/// It has no clock of its own: whoever measures brings one.
public struct ReplayBench: Sendable {
  /// What is measured with.
  public struct Instruments {
    /// A clock that never goes back, in nanoseconds.
    public var clock: () -> Int64
    /// The largest memory that was resident so far, in bytes; nil where the system doesn't tell.
    public var peakMemory: () -> Int64?
    /// Forgets the largest so far, where the system can.
    public var resetPeakMemory: () -> Void
    /// How many instructions the process has executed so far, in all its threads; nil where the system doesn't tell.
    public var instructions: () -> Int64?

    public init(
      clock: @escaping () -> Int64, peakMemory: @escaping () -> Int64?, resetPeakMemory: @escaping () -> Void = {},
      instructions: @escaping () -> Int64? = { nil }
    ) {
      self.clock = clock
      self.peakMemory = peakMemory
      self.resetPeakMemory = resetPeakMemory
      self.instructions = instructions
    }
  }

  public let path: String
  public let warmUps: Int
  /// Nanoseconds of each repetition, shortest first.
  public let times: [Int64]
  /// What the recording holds.
  public let statistics: Statistics
  /// Bytes of lines; of a sealed recording, unpacked.
  public let byteCount: Int64
  /// Reports, PIREPs and aircraft in all answers.
  public let recordCount: Int
  /// Bytes; nil where the system doesn't tell.
  public let peakMemory: Int64?
  /// Instructions of one repetition, the mean of them; nil where the system doesn't tell.
  public let instructions: Int64?
  /// The digest at the end, which shows that the work was done.
  public let digest: UInt64
  /// The turbulence reports held at the end.
  public let held: HeldSum
  /// How many threads took part.
  public let threads: Int
  /// Whether every decision and digest was as recorded.
  public let isSame: Bool
  /// What was left out of the recording.
  public let setAside: SetAside
  /// Nanoseconds by stage, where they were asked for.
  public private(set) var stages: Stages?

  /// Replays a recording so many times.
  public init(
    path: String, warmUps: Int, repetitions: Int, threads: Int = 1, byStage: Bool, with instruments: Instruments
  ) throws(UnreadableRecording) {
    self.path = path
    self.threads = threads
    self.warmUps = max(0, warmUps)
    var times: [Int64] = []
    var last: RecordingResult?
    instruments.resetPeakMemory()
    var before: Int64?
    for run in 0..<max(0, warmUps) + max(1, repetitions) {
      if run == max(0, warmUps) { before = instruments.instructions() }
      let start = instruments.clock()
      let result = RecordingResult(replaying: path, threads: threads)
      if run >= warmUps { times.append(instruments.clock() - start) }
      if case .unreadable(let fault) = result.outcome { throw fault }
      last = result
    }
    self.times = times.sorted()
    let after = instruments.instructions()
    instructions = before.flatMap { before in after.map { ($0 - before) / Int64(max(1, repetitions)) } }
    peakMemory = instruments.peakMemory()
    statistics = last?.statistics ?? Statistics()
    byteCount = last?.byteCount ?? 0
    digest = last?.digest ?? 0
    held = last?.held ?? HeldSum(count: 0, checksum: 0)
    isSame = last?.outcome == .same
    setAside = last?.setAside ?? SetAside()
    recordCount = try Self.countRecords(path)
    if byStage { stages = try Stages(path: path, instruments.clock) }
  }

  private static func countRecords(_ path: String) throws(UnreadableRecording) -> Int {
    let reader = try RecordingReader(path: path)
    var count = 0
    while let entry = try reader.next() {
      guard let answer = entry.record.event.observations else { continue }
      count += answer.reports.count + answer.pireps.count + (answer.traffic?.count ?? 0)
    }
    return count
  }

  // MARK: Figures

  /// The time in the middle, in nanoseconds.
  public var median: Int64 { times.isEmpty ? 0 : times[times.count / 2] }

  /// The median distance from the median, in nanoseconds.
  public var spread: Int64 {
    let distances = times.map { abs($0 - median) }.sorted()
    return distances.isEmpty ? 0 : distances[distances.count / 2]
  }

  /// How many of something a second, by the median.
  public func rate(of count: Int64) -> Int64 {
    let (product, isOver) = count.multipliedReportingOverflow(by: 1_000_000_000)
    guard median > 0 else { return 0 }
    return isOver ? count / max(1, median / 1_000_000_000) : product / median
  }

  /// Tenths of a nanosecond for each record.
  public var tenthsPerRecord: Int64? { recordCount > 0 ? median * 10 / Int64(recordCount) : nil }
}

extension Event {
  /// The answer for an area that the event brings, if it brings one that can be read.
  fileprivate var observations: ObservationsAnswer? {
    guard case .input(.responseReceived(let response)) = self, response.status == 200, response.etag == nil else {
      return nil
    }
    return try? response.body.observations()
  }
}

// MARK: - Stages

extension ReplayBench {
  /// Where the time of one replay goes, in nanoseconds.
  public struct Stages: Sendable {
    /// Getting the bytes of the file.
    public private(set) var read: Int64 = 0
    /// CRC-32C over all of them.
    public private(set) var crc: Int64 = 0
    /// Cutting them into lines and checking what frames each; of a sealed recording, unpacking too.
    public private(set) var frame: Int64 = 0
    /// From a line's bytes to an event, its records included; the lines of decisions that are due aren't read.
    public private(set) var decode: Int64 = 0
    /// Folding events into the state: records into tables, what has expired out of them.
    public private(set) var apply: Int64 = 0
    /// Deciding, and comparing with what was decided.
    public private(set) var plan: Int64 = 0
    /// The state's digests at their marks.
    public private(set) var digest: Int64 = 0

    /// Each stage and its name, in the order in which they come.
    public var all: [(name: String, nanoseconds: Int64)] {
      [
        ("read", read), ("crc", crc), ("frame", frame), ("decode", decode), ("apply", apply), ("plan", plan),
        ("digest", digest),
      ]
    }

    init(path: String, _ clock: @escaping () -> Int64) throws(UnreadableRecording) {
      readRaw(path, clock)
      var watch = Watch(clock)
      let reader = try RecordingReader(path: path)
      var state = State()
      var expected: ArraySlice<Decision> = []
      var framed: Int64 = 0
      var due = JSONWriter()
      while true {
        watch.start()
        guard let line = try reader.nextLine() else { break }
        framed += watch.lap()
        if let decision = expected.first, Kind(line.kind) == decision.kind {
          // As the replayer does it: compared as bytes, and not read.
          due.removeAll()
          decision.writeMembers(to: &due)
          expected.removeFirst()
          let isSame = due.withBytes { $0.isEqual(to: line.payload) }
          plan += watch.lap()
          if isSame {
            state.evolve(Record(seq: line.seq, at: line.at, event: .decision(decision)))
            apply += watch.lap()
            continue
          }
        }
        let record = try reader.entry(line).record
        decode += watch.lap()
        state.evolve(record)
        switch record.event {
        case .input:
          apply += watch.lap()
          expected = state.decide()[...]
          plan += watch.lap()
        case .decision: apply += watch.lap()
        case .mark(.stateDigested):
          _ = state.digest
          digest += watch.lap()
        case .mark: digest += watch.lap()
        }
      }
      frame = max(0, framed - read - crc)
    }

    /// The bytes alone, and their crc: of a plain file.
    private mutating func readRaw(_ path: String, _ clock: @escaping () -> Int64) {
      guard path.hasSuffix(".jsonl"), let file = try? POSIXStorage().open(path, .read) else { return }
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
      defer { block.deallocate() }
      var watch = Watch(clock)
      var offset: Int64 = 0
      var crc32c = CRC32C()
      while true {
        watch.start()
        guard let count = try? file.read(into: block, at: offset), count > 0 else { return }
        read += watch.lap()
        crc32c.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
        crc += watch.lap()
        offset += Int64(count)
      }
    }
  }

  /// Takes times one after the other.
  private struct Watch {
    private let clock: () -> Int64
    private var last: Int64 = 0

    init(_ clock: @escaping () -> Int64) { self.clock = clock }

    mutating func start() { last = clock() }

    mutating func lap() -> Int64 {
      let now = clock()
      defer { last = now }
      return now - last
    }
  }
}

// MARK: - Text

extension ReplayBench {
  /// The figures as text, the last line ended.
  public var text: String {
    var lines = [
      "\(path)  \(Words.count(statistics.events, "event")), \(Words.count(recordCount, "record")), "
        + "\(Words.bytes(byteCount)), \(isSame ? "same" : "DIVERGED"), digest \(Words.digest(digest))",
      "  time     \(Words.nanoseconds(median)), spread ±\(Words.nanoseconds(spread)), "
        + "\(Words.nanoseconds(times.first ?? 0)) to \(Words.nanoseconds(times.last ?? 0)) in "
        + "\(Words.count(times.count, "repetition")) after \(Words.count(warmUps, "warm-up"))"
        + (threads > 1 ? ", \(threads) threads" : ""),
      "  speed    \(Words.bytes(rate(of: byteCount)))/s, \(Words.count(rate(of: Int64(statistics.events)))) events/s, "
        + "\(Words.count(rate(of: Int64(recordCount)))) records/s"
        + (tenthsPerRecord.map { ", \(Words.decimal($0, digits: 1)) ns/record" } ?? ""),
    ]
    if let peakMemory { lines.append("  memory   \(Words.bytes(peakMemory)) resident at most") }
    let count = instructions.map { Words.count(Int($0), "instruction") } ?? "instructions: the system doesn't tell"
    lines.append("  count    \(count)")
    if let stages {
      let sum = max(1, stages.all.reduce(0) { $0 + $1.nanoseconds })
      for (name, nanoseconds) in stages.all {
        lines.append(
          "  \(name.padded(to: 8)) \("\(nanoseconds * 100 / sum) %".leftPadded(to: 5))  \(Words.nanoseconds(nanoseconds))"
        )
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Writes the figures as one JSON object.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("path")
      json.value(path)
      var figures: [(String, Int64)] = [
        ("events", Int64(statistics.events)), ("records", Int64(recordCount)), ("bytes", byteCount),
        ("threads", Int64(threads)), ("warmUps", Int64(warmUps)), ("repetitions", Int64(times.count)),
        ("medianNS", median), ("spreadNS", spread),
        ("minNS", times.first ?? 0), ("maxNS", times.last ?? 0), ("bytesPerSecond", rate(of: byteCount)),
        ("eventsPerSecond", rate(of: Int64(statistics.events))), ("recordsPerSecond", rate(of: Int64(recordCount))),
      ]
      if let peakMemory { figures.append(("peakMemoryBytes", peakMemory)) }
      if let instructions { figures.append(("instructions", instructions)) }
      for (name, figure) in figures {
        json.key(name)
        json.value(figure)
      }
      if let tenthsPerRecord {
        json.key("nsPerRecord")
        json.decimal(tenthsPerRecord, digits: 1)
      }
      json.key("same")
      json.value(isSame)
      json.key("digest")
      json.hex(digest)
      json.key("held")
      json.value(held.count)
      json.key("heldChecksum")
      json.hex(held.checksum)
      setAside.writeMembers(to: &json)
      if let stages {
        json.key("stagesNS")
        json.object { json in
          for (name, nanoseconds) in stages.all {
            json.key(name)
            json.value(nanoseconds)
          }
        }
      }
    }
  }

  /// Several benches as one JSON array, on a line.
  public static func json(_ benches: [ReplayBench]) -> String {
    var json = JSONWriter()
    json.array { json in benches.forEach { $0.write(to: &json) } }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}

extension Words {
  /// A time in the unit that suits it: `812 ns`, `12.34 ms`, `3.21 s`.
  static func nanoseconds(_ count: Int64) -> String {
    if count < 1000 { return "\(count) ns" }
    if count < 1_000_000 { return "\(decimal(count / 10, digits: 2)) µs" }
    if count < 1_000_000_000 { return "\(decimal(count / 10_000, digits: 2)) ms" }
    return "\(decimal(count / 10_000_000, digits: 2)) s"
  }
}
