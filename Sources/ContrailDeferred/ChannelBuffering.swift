/// How much a channel keeps for a listener who is behind.
public enum ChannelBuffering: Hashable, Sendable {
  /// Every value. What waits is bounded only by memory: for listeners who must miss nothing and can keep up.
  case every
  /// The newest so many; older ones are let go unheard. A count below one is taken as one.
  case newest(Int)

  /// How many values may wait.
  var limit: Int {
    switch self {
    case .every: .max
    case .newest(let count): max(1, count)
    }
  }
}
