/// A line of the log, named so that the same place in another log is told apart.
public struct LogPosition: Hashable, Sendable {
  /// The line's `seq`.
  public var seq: Int64
  /// The CRC-32C that the line carries, or would.
  public var crc: UInt32

  public init(seq: Int64, crc: UInt32) {
    self.seq = seq
    self.crc = crc
  }
}

extension LogPosition: CustomStringConvertible {
  public var description: String { "seq \(seq), crc \(String(crc, radix: 16))" }
}
