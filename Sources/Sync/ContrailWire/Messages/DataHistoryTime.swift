/// A history length that the server supports.
///
/// The raw value is in seconds.
public enum DataHistoryTime: Int64, CaseIterable, Hashable, Sendable, Comparable {
  case halfHour = 1800
  case hour = 3600
  case twoHours = 7200
  case fourHours = 14400
  case sixHours = 21600

  /// The length in seconds.
  public var seconds: Int64 { rawValue }

  public static func < (a: DataHistoryTime, b: DataHistoryTime) -> Bool { a.rawValue < b.rawValue }
}
