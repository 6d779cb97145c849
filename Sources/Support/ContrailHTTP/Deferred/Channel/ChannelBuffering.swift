/// The values that a channel keeps for a listener that is behind.
public enum ChannelBuffering: Hashable, Sendable {
  /// Every value. The number of buffered values is limited only by memory.
  case every
  /// The newest values, up to a number of at least one. Older values are dropped.
  case newest(Int)

  /// The maximum number of buffered values.
  var limit: Int {
    switch self {
    case .every: .max
    case .newest(let count): max(1, count)
    }
  }
}
