// Benchmarks of the engine's parts, each with a straightforward implementation of the same work: `part: name` and
// `peer: name`. thresholds.json contains the minimum ratios of the two in one run, because absolute times depend on the
// machine. Scripts/bench-parts runs the benchmarks and checks the ratios.

import Benchmark
import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailWire
import Foundation

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 3, scalingFactor: .one, maxDuration: .milliseconds(600),
    maxIterations: 2000)
  decoding()
  folding()
  checking()
  holding()
  planning()
  writing()
  snapshots()
}

// MARK: Reading

/// Decodes a thousand hexagons from JSON. The peer is Foundation's decoder.
private func decoding() {
  let json = Sample.answer(Sample.reports(1000)).json
  Benchmark("part: decode") { benchmark in
    benchmark.startMeasurement()
    blackHole(try json.withUnsafeBytes { try ObservationsAnswer(json: $0) })
    benchmark.stopMeasurement()
  }

  struct Plain: Decodable {
    struct Contents: Decodable {
      var lastUpdatedAt: Int64
      var hexagons: [Hexagon]
    }
    struct Hexagon: Decodable {
      var id: String
      var alt: UInt8
      var sev: UInt8
      var edr: Double
      var observedAt: UInt32
    }
    var data: Contents
  }
  let data = Data(json)
  Benchmark("peer: decode") { benchmark in
    benchmark.startMeasurement()
    blackHole(try JSONDecoder().decode(Plain.self, from: data))
    benchmark.stopMeasurement()
  }
}

/// Computes the CRC of one MiB. The peer uses a table lookup per byte.
private func checking() {
  let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  Benchmark("part: crc") { _ in blackHole(CRC32C.checksum(bytes)) }

  var table: [UInt32] = []
  for byte in UInt32(0)..<256 {
    var register = byte
    for _ in 0..<8 { register = register & 1 == 1 ? (register >> 1) ^ 0x82F6_3B78 : register >> 1 }
    table.append(register)
  }
  let steps = table
  Benchmark("peer: crc") { _ in
    var register = ~UInt32(0)
    for byte in bytes { register = (register >> 8) ^ steps[Int((register & 0xFF) ^ UInt32(byte))] }
    blackHole(~register)
  }
}

/// Folds the recordings that have the most lines of a kind. The peer only parses their lines, with Foundation.
private func folding() {
  let recordings = [
    ("PIREPs and traffic", "antimeridian"), ("polygons", "polygons"), ("compact areas", "areas-as-cells"),
    ("queries", "pan-rests"), ("weather", "destination-weather"), ("airports", "airports-cycle-change"),
    ("reports tracked", "own-reports"), ("corridor", "near-the-pole"),
  ]
  for (kind, name) in recordings {
    let path = "Recordings/\(name).jsonl"
    guard let text = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      fatalError("\(path) can't be read; run Scripts/bench-parts")
    }
    let lines = text.split(separator: 0x0A)
    Benchmark("part: fold \(kind)") { _ in
      guard case .same = RecordingResult(replaying: path).outcome else { fatalError("\(path) diverges") }
    }
    Benchmark("peer: fold \(kind)") { _ in
      for line in lines { blackHole(try JSONSerialization.jsonObject(with: line)) }
    }
  }
}

// MARK: The state

/// Adds twenty thousand reports and removes an hour of them minute by minute. The peer is a Swift set.
private func holding() {
  let reports = Sample.reports(20_000)
  let first = reports.reduce(UInt32.max) { min($0, $1.observedAt) }
  Benchmark("part: insert") { _ in
    var set = ReportSet()
    for report in reports { set.insert(report) }
    blackHole(set.checksum)
  }
  Benchmark("peer: insert") { _ in
    var set: Set<TurbulenceReport> = []
    var checksum: UInt64 = 0
    for report in reports where set.insert(report).inserted { checksum &+= report.digest }
    blackHole(checksum)
  }

  var full = ReportSet()
  for report in reports { full.insert(report) }
  let held = full
  Benchmark("part: expire") { _ in
    var set = held
    for minute in Int64(1)...60 { set.removeAll(observedUpTo: Int64(first) + 60 * minute) }
    blackHole(set.checksum)
  }
  let plain = Set(reports)
  Benchmark("peer: expire") { _ in
    var set = plain
    var checksum: UInt64 = 0
    for minute in UInt32(1)...60 {
      let limit = first + 60 * minute
      set = set.filter { report in
        if report.observedAt > limit { return true }
        checksum &-= report.digest
        return false
      }
    }
    blackHole(checksum)
  }
}

/// Encodes the decisions after a tick for the log. The peer is Foundation's encoder with an equal line.
private func planning() {
  let state = Sample.due()
  Benchmark("part: plan", configuration: .init(scalingFactor: .kilo)) { benchmark in
    for _ in benchmark.scaledIterations {
      for decision in state.decide() { blackHole(Event.decision(decision).payload) }
    }
  }

  struct Line: Encodable {
    struct Spec: Encodable {
      var area = "3dac79be5085bbad"
      var types = ["turbulence"]
      var sevs = [0, 1, 2, 3, 4]
      var altitudes = [0, 52]
      var history = 7200
    }
    var request = 2
    var scope = "corridor"
    var mode = "delta"
    var rule = "due"
    var cause = 9
    var since = 1_740_000_000
    var spec = Spec()
  }
  let encoder = JSONEncoder()
  Benchmark("peer: plan", configuration: .init(scalingFactor: .kilo)) { benchmark in
    for _ in benchmark.scaledIterations { blackHole(try encoder.encode(Line())) }
  }
}

// MARK: Writing

/// Appends a line with each sync policy. The peer writes the same bytes with `write`, and syncs if the policy does.
private func writing() {
  let payload = Array(#""request":2,"status":200,"bytes":2511,"serverTime":1740000060926,"body":{"data":{}}"#.utf8)
  for (name, policy) in [
    ("append, synced each time", LogWriter.SyncPolicy.everyEvent),
    ("append, synced by interval", .interval(milliseconds: 1000)),
  ] {
    let isSynced = policy == .everyEvent
    // With syncs, one batch of 16 lines, as in group commit. Otherwise many batches of one line.
    let (lines, batches) = isSynced ? (16, 1) : (1, 100)
    Benchmark("part: \(name)") { benchmark in
      let folder = try Folder()
      defer { folder.remove() }
      let writer = try LogWriter.create(path: folder.path("a.jsonl"), at: 0, policy: policy)
      benchmark.startMeasurement()
      for _ in 0..<batches {
        var batch = writer.batch()
        for _ in 0..<lines { try batch.add("response.received", at: 1, payload: payload) }
        try writer.append(batch)
        if writer.isSyncDue(at: 1), isSynced { try writer.sync(at: 1) }
      }
      benchmark.stopMeasurement()
    }
    let line =
      Array(#"{"seq":100,"at":1,"kind":"response.received","#.utf8) + payload + Array(#","crc":"00000000"}"#.utf8)
      + [0x0A]
    let bytes = (0..<lines).flatMap { _ in line }
    Benchmark("peer: \(name)") { benchmark in
      let folder = try Folder()
      defer { folder.remove() }
      let file = open(folder.path("a.jsonl"), O_WRONLY | O_CREAT | O_EXCL, 0o644)
      defer { close(file) }
      _ = write(file, bytes, bytes.count)
      fsync(file)
      benchmark.startMeasurement()
      for _ in 0..<batches {
        _ = write(file, bytes, bytes.count)
        if isSynced { synchronize(file) }
      }
      benchmark.stopMeasurement()
    }
  }
}

private func synchronize(_ file: Int32) {
  #if canImport(Darwin)
    _ = fcntl(file, F_FULLFSYNC)
  #else
    _ = fdatasync(file)
  #endif
}

/// Encodes a snapshot of twenty thousand reports, with Foundation's encoder as the peer. Compresses a log of them, with
/// `xz` as the peer.
private func snapshots() {
  let state = Sample.holding(20_000)
  Benchmark("part: snapshot") { _ in
    for part in state.snapshotParts { blackHole(Event.mark(.snapshotPart(part)).payload) }
  }
  struct Plain: Encodable {
    var packed: UInt64
    var observedAt: UInt32
  }
  let reports = Sample.reports(20_000).map { Plain(packed: $0.packed, observedAt: $0.observedAt) }
  let encoder = JSONEncoder()
  Benchmark("peer: snapshot") { _ in blackHole(try encoder.encode(reports)) }

  let lines = state.snapshotParts.map { Event.mark(.snapshotPart($0)).payload }
  Benchmark("part: seal", configuration: .init(maxIterations: 10)) { benchmark in
    let folder = try Folder()
    defer { folder.remove() }
    let log = try LogDirectory(path: folder.path("log"), at: 0, policy: .interval(milliseconds: 1000))
    var batch = log.writer.batch()
    for line in lines { try batch.add("snapshot.part", at: 1, payload: line) }
    try log.writer.append(batch)
    try log.roll(at: 2) { (batch) throws(LogError) in try batch.add("snapshot.ended", at: 2) }
    let segments = try log.sealable()
    benchmark.startMeasurement()
    for segment in segments { blackHole(try segment.sealed()) }
    benchmark.stopMeasurement()
  }
  let text = Data(lines.joined(separator: [0x0A]))
  Benchmark("peer: seal", configuration: .init(maxIterations: 10)) { benchmark in
    let folder = try Folder()
    defer { folder.remove() }
    try text.write(to: URL(fileURLWithPath: folder.path("a")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xz", "-1", "-T1", folder.path("a")]
    benchmark.startMeasurement()
    try process.run()
    process.waitUntilExit()
    benchmark.stopMeasurement()
  }
}
