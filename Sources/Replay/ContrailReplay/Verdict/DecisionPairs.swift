import ContrailCore

/// Recorded decisions after one input, paired with the engine's current decisions.
struct DecisionPairs {
  struct Pair {
    var difference: Divergence.Difference
    /// The index of the recorded decision, or `nil` if it is missing.
    var index: Int?
  }

  /// The pairs that differ. Pairs that differ only in the request number, which an earlier difference has shifted, come
  /// last.
  let differing: [Pair]

  /// Pairs decisions of the same kind and scope. The two lists must differ.
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
    // The same decisions in another order or encoding also differ.
    if pairs.isEmpty, let first = recorded.first {
      pairs = [Pair(difference: .decision(recorded: first, now: first), index: 0)]
    }
    differing = pairs.filter { !$0.difference.isOnlyNumber } + pairs.filter { $0.difference.isOnlyNumber }
  }
}

extension Divergence.Difference {
  /// Whether the two decisions differ only in the request number.
  var isOnlyNumber: Bool {
    guard case .decision(.fetchStarted(var recorded), .fetchStarted(let now)) = self, recorded != now else {
      return false
    }
    recorded.request = now.request
    return recorded == now
  }
}
