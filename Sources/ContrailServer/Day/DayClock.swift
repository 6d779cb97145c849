#if Online
  /// How the time of a real day becomes that of the server.
  public enum DayClock: String, CaseIterable, Hashable, Sendable {
    /// The records move: the newest of each kind came at the last full five minutes before the server's start, and the others as
    /// long before it as they did. Each kind moves by itself, since files of different kinds are seldom of one day.
    ///
    /// The server keeps the true time, so that clients may upload what they feel. A delta since a time before the start is refused:
    /// the records stood elsewhere then.
    case shifted
    /// The records stay, and the server's clock is set: it starts at the first full five minutes after the newest record of all, and
    /// runs on. Times in the reports' texts are right, the kinds keep their true distance, and a server that is started again
    /// answers as before.
    case recorded
  }
#endif
