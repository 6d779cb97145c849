/// The relation of a store to its log.
package enum SyncStatus: Hashable, Sendable {
  /// Nothing has been written. Rebuild the store.
  case empty
  /// The store matches the log.
  case level
  /// The log contains this many more lines. Catch up.
  case behind(lines: Int64)
  /// The log has lost this many lines, for example after a power failure. Catch up.
  case ahead(lines: Int64)
  /// The log has a different line at the store's position, or no longer contains it. Rebuild the store.
  case fromAnotherLog

  /// Compares the position of a store with a log.
  ///
  /// - Parameters:
  ///   - applied: The position of the store.
  ///   - end: The last line of the log, or `nil` for an empty log.
  ///   - crc: Returns the CRC of the log line with a `seq`, or `nil` if the log no longer contains it. It is called at
  ///     most once, and never for a line after `end`.
  /// - Throws: The error of `crc`.
  package init<Failure: Error>(
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
