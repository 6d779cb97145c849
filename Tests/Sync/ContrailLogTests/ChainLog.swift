import ContrailLog
import ContrailTestSupport

/// Makes logs of several segments, with marks, signatures, snapshots, retention, and lines after the last mark.
struct ChainLog {
  static let path = "/log"

  let disk: MemoryDisk
  let signer = TestSigner()
  /// The head at the last sync.
  private(set) var head: LogHead?
  private var random: SplitMix64

  init(seed: UInt64, isSigned: Bool = true) throws {
    disk = MemoryDisk(seed: seed)
    random = SplitMix64(seed: seed)
    var now: Int64 = 1_700_000_000_000
    let log = try LogDirectory(path: Self.path, at: now, policy: .everyEvent, storage: disk)
    let isSwept = seed % 4 == 0
    var pending: LogHead?
    for _ in 0..<Int.random(in: 12...40, using: &random) {
      now += Int64.random(in: 0...60_000, using: &random)
      var batch = log.writer.batch()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let text = String(repeating: "x", count: Int.random(in: 0...60, using: &random))
        try batch.add("note", at: now, payload: Array(#""number":\#(batch.nextSeq &* 7919),"text":"\#(text)""#.utf8))
      }
      try log.writer.append(batch)
      // A slow signer answers after the next lines.
      if let late = pending, let signature = signer.signature(of: late) {
        try log.writer.append(signature, at: now)
        pending = nil
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        try log.writer.sync(at: now)
        head = log.writer.syncedHead
        guard isSigned, let head, Int.random(in: 0..<3, using: &random) > 0 else { continue }
        if Bool.random(using: &random), let signature = signer.signature(of: head) {
          try log.writer.append(signature, at: now)
        } else {
          pending = head
        }
      case 6:
        try log.roll(at: now) { batch throws(LogError) in
          for part in 0..<3 { try batch.add("snapshot.part", at: now, payload: Array(#""part":\#(part)"#.utf8)) }
          try batch.add("snapshot.ended", at: now)
        }
        if isSwept { _ = try log.retain(LogRetention(maximumSegments: 3), at: now) }
        head = log.writer.syncedHead
      default: break
      }
    }
  }

  func verification(receipt: LogHead? = nil) throws(LogError) -> ChainVerification {
    try ChainVerification(path: Self.path, receipt: receipt, storage: disk, check: signer.check)
  }
}
