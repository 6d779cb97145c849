/// How often stored data is updated.
public enum DataUpdateFrequency: String, CaseIterable, Hashable, Sendable {
  /// Only when the query changes or a refresh is requested.
  case none
  /// Every 15 minutes.
  case minimal
  /// Every 5 minutes.
  case medium
  /// Every minute.
  case fast

  /// The interval in milliseconds; nil for ``none``.
  public var intervalMS: Int64? {
    switch self {
    case .none: nil
    case .minimal: 15 * 60_000
    case .medium: 5 * 60_000
    case .fast: 60_000
    }
  }
}
