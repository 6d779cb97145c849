import ContrailCore
import ContrailLog
package import ContrailWire

/// Measures the speed of replaying a recording, with warm-up, repetitions, median and spread.
///
/// The caller provides the clock.
package struct ReplayBench: Sendable {
  /// The functions that measure time, memory and instructions.
  package struct Instruments {
    /// A monotonic clock in nanoseconds.
    package var clock: () -> Int64
    /// The peak resident memory in bytes, or `nil` if it is unknown.
    package var peakMemory: () -> Int64?
    /// Resets the peak memory, if the system supports it.
    package var resetPeakMemory: () -> Void
    /// The number of instructions executed by all threads of the process, or `nil` if it is unknown.
    package var instructions: () -> Int64?

    package init(
      clock: @escaping () -> Int64, peakMemory: @escaping () -> Int64?, resetPeakMemory: @escaping () -> Void = {},
      instructions: @escaping () -> Int64? = { nil }
    ) {
      self.clock = clock
      self.peakMemory = peakMemory
      self.resetPeakMemory = resetPeakMemory
      self.instructions = instructions
    }
  }

  package let path: String
  package let warmUps: Int
  /// The time of each repetition in nanoseconds, shortest first.
  package let times: [Int64]
  /// The statistics of the recording.
  package let statistics: Statistics
  /// The number of bytes in the lines. Compressed data counts as decompressed.
  package let byteCount: Int64
  /// The number of reports, PIREPs and aircraft in all responses.
  package let recordCount: Int
  /// The peak memory in bytes, or `nil` if it is unknown.
  package let peakMemory: Int64?
  /// The mean number of instructions per repetition, or `nil` if it is unknown.
  package let instructions: Int64?
  /// The final state digest, which proves that the work was done.
  package let digest: UInt64
  /// The turbulence reports held at the end.
  package let held: HeldSum
  /// The number of threads.
  package let threads: Int
  /// Whether every decision and digest matches the recording.
  package let isSame: Bool
  /// The parts that were skipped.
  package let setAside: SetAside
  /// The time of each stage, if requested.
  package private(set) var stages: Stages?

  /// Replays a recording several times and measures each repetition.
  ///
  /// - Parameters:
  ///   - path: The path of the recording.
  ///   - warmUps: The number of untimed repetitions before the timed ones.
  ///   - repetitions: The number of timed repetitions.
  ///   - threads: The number of threads, 1 or 2.
  ///   - byStage: Whether to measure each stage in an additional run.
  ///   - instruments: The functions that measure time, memory and instructions.
  /// - Throws: ``UnreadableRecording`` if the recording can't be read.
  package init(
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

  /// The median time in nanoseconds.
  package var median: Int64 { times.isEmpty ? 0 : times[times.count / 2] }

  /// The median absolute deviation in nanoseconds.
  package var spread: Int64 {
    let distances = times.map { abs($0 - median) }.sorted()
    return distances.isEmpty ? 0 : distances[distances.count / 2]
  }

  /// Returns a rate per second, based on the median time.
  package func rate(of count: Int64) -> Int64 {
    let (product, isOver) = count.multipliedReportingOverflow(by: 1_000_000_000)
    guard median > 0 else { return 0 }
    return isOver ? count / max(1, median / 1_000_000_000) : product / median
  }

  /// The time per record in tenths of a nanosecond.
  package var tenthsPerRecord: Int64? { recordCount > 0 ? median * 10 / Int64(recordCount) : nil }
}

extension Event {
  /// The area response in the event, or `nil` if there is none or it can't be read.
  fileprivate var observations: ObservationsAnswer? {
    guard case .input(.responseReceived(let response)) = self, response.status == 200, response.etag == nil else {
      return nil
    }
    return try? response.body.observations()
  }
}

// MARK: - Stages

extension ReplayBench {
  /// The time of each stage of one replay, in nanoseconds.
  package struct Stages: Sendable {
    /// Reading the bytes of the file.
    package private(set) var read: Int64 = 0
    /// Computing the CRC-32C of all bytes.
    package private(set) var crc: Int64 = 0
    /// Splitting the bytes into lines and checking their envelopes. Includes decompression.
    package private(set) var frame: Int64 = 0
    /// Decoding lines into events and records. Expected decisions aren't decoded.
    package private(set) var decode: Int64 = 0
    /// Applying events to the state: adding records and removing expired ones.
    package private(set) var apply: Int64 = 0
    /// Making decisions and comparing them with the recorded ones.
    package private(set) var plan: Int64 = 0
    /// Computing the state digests at their marks.
    package private(set) var digest: Int64 = 0

    /// The name and time of each stage, in order.
    package var all: [(name: String, nanoseconds: Int64)] {
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
      var specs: SpecTexts? = SpecTexts()
      var digester = StateDigester()
      while true {
        watch.start()
        guard let line = try reader.nextLine() else { break }
        framed += watch.lap()
        if let decision = expected.first, Kind(line.kind) == decision.kind {
          // Compares bytes without parsing, like the replayer.
          due.removeAll()
          decision.writeMembers(to: &due, &specs)
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
          _ = digester.digest(of: state)
          digest += watch.lap()
        case .mark: digest += watch.lap()
        }
      }
      frame = max(0, framed - read - crc)
    }

    /// Measures reading and the CRC of an uncompressed file.
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

  /// A stopwatch that measures consecutive intervals.
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
  /// The measurements as text, ending with a line feed.
  package var text: String {
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
    if let peakMemory { lines.append("  memory   \(Words.bytes(peakMemory)) peak resident memory") }
    let count = instructions.map { Words.count(Int($0), "instruction") } ?? "instructions: unknown"
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

  /// Writes the measurements as one JSON object.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("path", path)
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
        json.key(named: name)
        json.value(figure)
      }
      if let tenthsPerRecord {
        json.key("nsPerRecord")
        json.decimal(tenthsPerRecord, digits: 1)
      }
      json.member("same", isSame)
      json.key("digest")
      json.hex(digest)
      json.member("held", held.count)
      json.key("heldChecksum")
      json.hex(held.checksum)
      setAside.writeMembers(to: &json)
      if let stages {
        json.key("stagesNS")
        json.object { json in
          for (name, nanoseconds) in stages.all {
            json.key(named: name)
            json.value(nanoseconds)
          }
        }
      }
    }
  }

  /// Returns several measurements as one JSON array on one line.
  package static func json(_ benches: [ReplayBench]) -> String {
    var json = JSONWriter()
    json.array { json in benches.forEach { $0.write(to: &json) } }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}

extension Words {
  /// Returns a time in a suitable unit: `812 ns`, `12.34 ms`, `3.21 s`.
  static func nanoseconds(_ count: Int64) -> String {
    if count < 1000 { return "\(count) ns" }
    if count < 1_000_000 { return "\(decimal(count / 10, digits: 2)) µs" }
    if count < 1_000_000_000 { return "\(decimal(count / 10_000, digits: 2)) ms" }
    return "\(decimal(count / 10_000_000, digits: 2)) s"
  }
}
