import ContrailLog
import ContrailTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Flies a log through deaths of the process, losses of power and refusals of the disk, all from a seed, and judges
/// after each what is left.
private struct Voyage {
  static let path = "/log"

  let disk: MemoryDisk
  var random: SplitMix64
  /// The events that were appended, by `seq`.
  var events: [Int64: String] = [:]
  /// The events of an append that failed: they may be there or not.
  var attempted: [Int64: String] = [:]
  /// Up to here all must be there after a loss of power.
  var safeSeq: Int64 = -1
  var blobs: [BlobStore.ID: [UInt8]] = [:]
  var serial = 0
  let signer = TestSigner()
  /// The head that the signer is about to sign.
  var signing: LogHead?

  init(seed: UInt64) {
    disk = MemoryDisk(seed: seed)
    random = SplitMix64(seed: seed)
  }

  /// One life of the process, and its end.
  mutating func live(powerFails: Bool, refusals: Int) throws {
    attempted = [:]
    signing = nil
    for _ in 0..<refusals { disk.faults[Int.random(in: 1...60, using: &random)] = .refusal }
    disk.faults[Int.random(in: 1...90, using: &random)] = .death
    if let log = try? open() {
      for _ in 0..<Int.random(in: 5...40, using: &random) where !disk.isDead { step(log) }
    }
    if powerFails { disk.losePower() } else { disk.restart() }
    try judge(mustHold: powerFails ? safeSeq : .max)
  }

  private func open() throws(LogError) -> LogDirectory {
    try LogDirectory(path: Self.path, at: 0, policy: .everyEvent, storage: disk)
  }

  private mutating func step(_ log: LogDirectory) {
    switch Int.random(in: 0..<22, using: &random) {
    case 20..<22: sign(log)
    case 0..<10: append(log, blob: nil)
    case 10..<14: sync(log)
    case 14..<16: roll(log)
    case 16:
      if let segment = try? log.sealable().randomElement(using: &random) {
        _ = try? segment.sealed(preset: 0, storage: disk)
      }
    case 17..<19:
      serial += 1
      let body = Array("body \(serial)".utf8)
      if let id = try? log.putBlob(body) {
        blobs[id] = body
        append(log, blob: id)
      }
    default: _ = try? log.retain(LogRetention(maximumSegments: 4), at: 0)
    }
  }

  private mutating func append(_ log: LogDirectory, blob: BlobStore.ID?) {
    var batch = log.writer.batch()
    var added: [Int64: String] = [:]
    do {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        serial += 1
        let text = #""serial":\#(serial)"# + (blob.map { #","blob":"\#($0)""# } ?? "")
        added[try batch.add("note", at: 0, payload: Array(text.utf8))] = text
      }
      try log.writer.append(batch)
      events.merge(added) { $1 }
    } catch {
      if disk.isDead { attempted = added }
      if log.writer.isEnded { roll(log) }
    }
  }

  private mutating func sync(_ log: LogDirectory) {
    do {
      try log.writer.sync(at: 0)
      safeSeq = max(safeSeq, log.writer.syncedSeq)
    } catch {
      roll(log)
    }
  }

  /// The signer answers to what it was asked, and is asked again.
  private mutating func sign(_ log: LogDirectory) {
    if let signature = signing.flatMap({ signer.signature(of: $0) }) { try? log.writer.append(signature, at: 0) }
    signing = log.writer.syncedHead
  }

  private mutating func roll(_ log: LogDirectory) {
    let count = events.count
    try? log.roll(at: 0) { batch throws(LogError) in
      try batch.add("snapshot.part", at: 0, payload: Array(#""events":\#(count)"#.utf8))
      try batch.add("snapshot.ended", at: 0)
    }
    safeSeq = max(safeSeq, log.writer.syncedSeq)
  }

  /// What must hold when the log is opened again.
  private mutating func judge(mustHold: Int64) throws {
    do { _ = try open() }
    let verification = try LogVerification(path: Self.path, storage: disk)
    #expect(verification.faults.isEmpty)
    let chain = try ChainVerification(path: Self.path, storage: disk, check: signer.check)
    #expect(chain.fault == nil, "an honest log was refused: \(String(describing: chain.fault))")
    #expect(disk.names.keys.filter { $0.hasSuffix(".tmp") }.isEmpty)

    let reader = try LogReader(path: Self.path, storage: disk)
    var found: [Int64: String] = [:]
    var firstSeq: Int64?
    var lastSeq: Int64 = -1
    while let line = try reader.next() {
      firstSeq = firstSeq ?? line.seq
      lastSeq = line.seq
      let payload = String(decoding: line.payload, as: UTF8.self)
      if line.isKind("snapshot.part") {
        let count = events.keys.count { $0 < line.seq }
        #expect(payload == #""events":\#(count)"#, "the snapshot at \(line.seq) stands in for what came before")
      }
      guard line.isKind("note") else { continue }
      #expect(payload == events[line.seq] ?? attempted[line.seq], "seq \(line.seq) is what was appended")
      found[line.seq] = payload
      try checkBlobs(in: payload)
    }
    let isLost = { (seq: Int64) in reader.losses.contains { $0.seqs.contains(seq) } }
    for seq in events.keys.sorted() where seq >= firstSeq ?? 0 && seq <= mustHold && found[seq] == nil {
      #expect(isLost(seq), "seq \(seq) was acknowledged, and no snapshot stands in for it")
    }
    events = events.filter { $0.key <= lastSeq }
    events.merge(found) { $1 }
    // Opening has synced all that it found.
    safeSeq = lastSeq
  }

  private func checkBlobs(in payload: String) throws {
    guard let digits = payload.split(separator: "\"").last, let id = BlobStore.ID(String(digits)) else { return }
    let bytes = try BlobStore(directory: "\(Self.path)/blobs", storage: disk).bytes(of: id)
    #expect(bytes == blobs[id])
  }
}

@Suite struct CrashSimulationTests {
  /// `CONTRAIL_VOYAGES` sets another number.
  static let voyageCount = getenv("CONTRAIL_VOYAGES").flatMap { UInt64(String(cString: $0)) } ?? 160
  private static let partCount: UInt64 = 8

  /// Each seed is a voyage of six lives.
  @Test(arguments: 0..<partCount) func everyAcknowledgedEventOutlivesAnyDeath(_ part: UInt64) throws {
    for seed in stride(from: part, to: Self.voyageCount, by: Int(Self.partCount)) {
      var voyage = Voyage(seed: seed)
      do {
        for life in 0..<6 {
          let powerFails = seed % 4 == 0 ? false : seed % 4 == 1 ? true : Bool.random(using: &voyage.random)
          try voyage.live(powerFails: powerFails, refusals: life % 3)
        }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }
}
