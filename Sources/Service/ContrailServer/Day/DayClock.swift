/// The relation between the times of a recorded day and the server's time.
package enum DayClock: String, CaseIterable, Hashable, Sendable {
  /// The records are shifted in time. The newest record of each kind arrives at the last full five minutes before the
  /// server's start, and the intervals between records of one kind are kept. Each kind is shifted separately, because
  /// files of different kinds are rarely from the same day.
  ///
  /// The server uses the real time, so clients can upload their own reports. A delta since a time before the start is
  /// refused, because the records then had other times.
  case shifted
  /// The records keep their times, and the server's clock starts at the first full five minutes after the newest
  /// record. Times in report texts are correct, the intervals between kinds are kept, and a restarted server returns
  /// the same data.
  case recorded
}
