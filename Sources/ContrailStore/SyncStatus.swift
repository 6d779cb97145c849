/// How a store relates to the log that it was made from.
public enum SyncStatus: Hashable, Sendable {
  /// Nothing was ever written: rebuild.
  case empty
  /// The store holds what the log says.
  case level
  /// The log has this many more lines: catch up.
  case behind(lines: Int64)
  /// The log has lost this many lines, as after a power failure: catch up.
  case ahead(lines: Int64)
  /// The log's line at the store's position is another one, or is gone: rebuild.
  case fromAnotherLog

  /// Compares a store's position with a log.
  ///
  /// - Parameters:
  ///   - applied: The store's position.
  ///   - end: The log's last line; nil for an empty log.
  ///   - crc: Returns the crc of the log's line with this `seq`; nil if the log no longer holds it. Called at most once, and never
  ///     beyond the end.
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
