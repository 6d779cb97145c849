package import ContrailLog

/// A log that several services share, such as a database: lines in the order of their positions.
///
/// A service appends a line, learns its position, and folds it when ``next(after:waits:)`` returns it among the lines of all services.
/// Therefore, all services fold the same lines in the same order.
package protocol SharedLog: Sendable {
  /// Returns the newest snapshot, and the position after which lines follow.
  func start() async throws(ServiceLogError) -> SharedStart

  /// Appends a line, and returns its position when it is on stable storage.
  ///
  /// - Throws: ``ServiceLogError``. After ``ServiceLogError/away(database:reason:)``, the line may be stored all the same.
  func append(_ entry: ServiceLine) async throws(ServiceLogError) -> Int64

  /// Returns the lines after a position.
  ///
  /// - Parameters:
  ///   - position: The position of the last line that is known.
  ///   - waits: Whether to wait for lines if there are none, until the next second at most.
  func next(after position: Int64, waits: Bool) async throws(ServiceLogError) -> SharedPage

  /// Stores the parts of a snapshot of the state after a position, and removes snapshots that aren't needed any more.
  func store(_ parts: [[UInt8]], through position: Int64) async throws(ServiceLogError)

  /// Removes the oldest lines beyond limits, as far as a snapshot follows them.
  ///
  /// - Returns: The number of removed lines.
  func retain(_ rule: LogRetention, at now: Int64) async throws(ServiceLogError) -> Int

  /// Closes all connections.
  func close() async
}

/// The state with which a service begins that shares a log.
package struct SharedStart: Sendable {
  /// The time in seconds since 1970 at which the log begins.
  package var beginning: Int64
  /// The position of the last line that the snapshot contains; 0 without a snapshot.
  package var position: Int64
  /// The parts of the snapshot.
  package var snapshot: [[UInt8]]

  package init(beginning: Int64, position: Int64, snapshot: [[UInt8]]) {
    (self.beginning, self.position, self.snapshot) = (beginning, position, snapshot)
  }
}

/// Lines of a shared log that follow each other.
package struct SharedPage: Sendable {
  package struct Row: Sendable {
    package var position: Int64
    /// The time in milliseconds since 1970.
    package var at: Int64
    package var entry: ServiceLine
    /// The size of the line in bytes.
    package var bytes: Int

    package init(position: Int64, at: Int64, entry: ServiceLine, bytes: Int) {
      (self.position, self.at, self.entry, self.bytes) = (position, at, entry, bytes)
    }
  }

  /// The time of the log.
  package struct Time: Hashable, Sendable {
    /// The time in milliseconds since 1970.
    package var now: Int64
    /// The time before which no further line will be, in milliseconds since 1970.
    package var horizon: Int64

    package init(now: Int64, horizon: Int64) { (self.now, self.horizon) = (now, horizon) }
  }

  package var rows: [Row]
  /// The time, after the lines; nil if more lines follow, or if it wasn't asked for.
  package var time: Time?
  /// Whether this service polls the feeds for all.
  package var isPoller: Bool

  package init(rows: [Row], time: Time?, isPoller: Bool) {
    (self.rows, self.time, self.isPoller) = (rows, time, isPoller)
  }
}
