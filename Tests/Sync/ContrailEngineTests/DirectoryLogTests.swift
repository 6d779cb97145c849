import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailTestSupport
import Testing

/// The log of an application, after it was opened again.
@Suite struct DirectoryLogTests {
  private let disk = MemoryDisk()

  private func open() throws -> DirectoryLog { try DirectoryLog.open(path: "/log", at: 0, storage: disk).log }

  /// Appends lines, and returns the CRC of each.
  private func append(_ count: Int, to log: DirectoryLog) throws -> [Int64: UInt32] {
    var crcs: [Int64: UInt32] = [:]
    for _ in 0..<count {
      var batch = log.batch()
      try batch.add("refresh.requested", at: log.tail.at + 1, payload: Array(#""full":false"#.utf8))
      try log.append(batch)
      crcs[log.tail.seq] = log.tail.crc
    }
    return crcs
  }

  /// Writes two segments. Returns the CRC of each line that was appended to them.
  private func write(_ older: Int, _ newer: Int) throws -> (older: [Int64: UInt32], newer: [Int64: UInt32]) {
    let log = try open()
    let first = try append(older, to: log)
    try log.roll(at: log.tail.at, snapshot: [.mark(.snapshotEnded)])
    return (first, try append(newer, to: log))
  }

  @Test func theCRCOfALineThatWasReadIsKnown() throws {
    let (older, newer) = try write(10, 9000)
    let log = try open()
    let (read, last) = (disk.readBytes, log.tail.seq)
    for seq in last - 4095...last { #expect(log.crc(seq) == newer[seq]) }
    #expect(disk.readBytes == read, "a launch would read its log twice")
    let first = try #require(newer.keys.min())
    for seq in first..<first + 10 { #expect(log.crc(seq) == newer[seq]) }
    for (seq, crc) in older { #expect(log.crc(seq) == crc) }
    #expect(log.crc(-1) == nil && log.crc(last + 1) == nil)
    // What is appended later is read.
    for (seq, crc) in try append(3, to: log) { #expect(log.crc(seq) == crc) }
  }

  @Test func theCRCOfALineThatIsGoneIsNotKnown() throws {
    let (older, newer) = try write(3, 3)
    let log = try open()
    try disk.remove(#require(try log.segments().first).path)
    for seq in older.keys { #expect(log.crc(seq) == nil) }
    for (seq, crc) in newer { #expect(log.crc(seq) == crc) }
  }
}
