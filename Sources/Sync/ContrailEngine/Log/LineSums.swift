import ContrailLog

/// The CRCs of the last lines that were read of a log, at least 4,096 if there are so many.
struct LineSums {
  private static let kept = 4096

  private var crcs: [UInt32] = []
  private var nextSeq: Int64 = 0

  /// Adds the next line. If it has no CRC, or lines are missing before it, those before it are forgotten.
  mutating func add(_ line: LogLine) {
    guard let crc = line.crc else { return crcs.removeAll() }
    if line.seq != nextSeq { crcs.removeAll() }
    if crcs.count == 2 * Self.kept { crcs.removeFirst(Self.kept) }
    crcs.append(crc)
    nextSeq = line.seq + 1
  }

  subscript(seq: Int64) -> UInt32? {
    let fromEnd = nextSeq - seq
    return fromEnd > 0 && fromEnd <= crcs.count ? crcs[crcs.count - Int(fromEnd)] : nil
  }
}
