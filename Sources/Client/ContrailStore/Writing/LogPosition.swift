/// A line of a log. The checksum distinguishes it from the same line number in another log.
public struct LogPosition: Hashable, Sendable {
  /// The `seq` of the line.
  public var seq: Int64
  /// The CRC-32C of the line, even if the line is written without one.
  public var crc: UInt32

  public init(seq: Int64, crc: UInt32) {
    self.seq = seq
    self.crc = crc
  }
}

extension LogPosition: CustomStringConvertible {
  public var description: String { "seq \(seq), crc \(String(crc, radix: 16))" }
}
