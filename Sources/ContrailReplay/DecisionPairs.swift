import ContrailCore

/// Decisions that were recorded after one input, each with the one that the engine takes now in its place.
struct DecisionPairs {
  struct Pair {
    var difference: Divergence.Difference
    /// The place of the recorded decision among those that were given; nil where it is missing.
    var index: Int?
  }

  /// The pairs that differ: those that say something else first, then those that differ only in a request's number, which
  /// another difference has shifted.
  let differing: [Pair]

  /// Brings decisions of the same kind about the same scope together; both lists say that they differ somewhere.
  init(recorded: [Decision], now: [Decision]) {
    var now = now
    var pairs: [Pair] = []
    for (index, decision) in recorded.enumerated() {
      let partner =
        now.firstIndex { $0.kind == decision.kind && $0.scope == decision.scope }
        ?? now.firstIndex { $0.scope == decision.scope }
      guard let partner else {
        pairs.append(Pair(difference: .unexpected(recorded: decision), index: index))
        continue
      }
      let other = now.remove(at: partner)
      if other != decision { pairs.append(Pair(difference: .decision(recorded: decision, now: other), index: index)) }
    }
    pairs += now.map { Pair(difference: .missing(now: $0), index: nil) }
    // The same decisions in another order, or in another spelling, differ as well.
    if pairs.isEmpty, let first = recorded.first {
      pairs = [Pair(difference: .decision(recorded: first, now: first), index: 0)]
    }
    differing = pairs.filter { !$0.difference.isOnlyNumber } + pairs.filter(\.difference.isOnlyNumber)
  }
}

extension Divergence.Difference {
  /// Whether both say the same but for the number of the request.
  var isOnlyNumber: Bool {
    guard case .decision(.fetchStarted(var recorded), .fetchStarted(let now)) = self, recorded != now else {
      return false
    }
    recorded.request = now.request
    return recorded == now
  }
}
