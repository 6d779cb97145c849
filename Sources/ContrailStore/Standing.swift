/// How a store stands to the log that it was made from.
public enum Standing: Hashable, Sendable {
  /// Nothing was ever written: rebuild.
  case empty
  /// The store holds what the log says.
  case level
  /// The log goes on by so many lines: bring the store level.
  case behind(lines: Int64)
  /// The store knows lines that the log has lost, as after a power failure: bring the store level.
  case ahead(lines: Int64)
  /// The log says something else where the store left off, or begins later: rebuild.
  case fromAnotherLog

  /// Compares what a store has applied with a log.
  ///
  /// - Parameters:
  ///   - applied: The store's position.
  ///   - end: The log's last line; nil for an empty log.
  ///   - crc: The crc of the log's line with this `seq`; nil where the log no longer holds it. Asked once, and not beyond the end.
  public init<Failure: Error>(
    of applied: LogPosition?, to end: LogPosition?, crc: (_ seq: Int64) throws(Failure) -> UInt32?
  ) throws(Failure) {
    guard let applied else {
      self = .empty
      return
    }
    guard let end, applied.seq <= end.seq else {
      self = .ahead(lines: applied.seq - (end?.seq ?? -1))
      return
    }
    let found = applied.seq == end.seq ? end.crc : try crc(applied.seq)
    guard found == applied.crc else {
      self = .fromAnotherLog
      return
    }
    self = applied.seq == end.seq ? .level : .behind(lines: end.seq - applied.seq)
  }
}
