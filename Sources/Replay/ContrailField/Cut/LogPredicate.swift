package import ContrailCore
import ContrailReplay

/// What must stay true of a log while it is made shorter.
package enum LogPredicate: Hashable, Sendable {
  /// It diverges as it did first: the same decision of the same scope by the same rule.
  case diverges
  /// 'replay check' finds the same as it found first; with a guarantee, as it found first of that kind.
  case finding(Finding.Guarantee?)
  /// A decision of a rule, with a mode if one is given.
  case rule(Rule, FetchMode?)
  /// The expression of jq, over an array of all lines, gives neither false nor null.
  case jq(String)

  /// Parses `diverges`, `finding`, `finding:backoff`, `rule:expired`, `rule:countDiffers:repair` or `jq:EXPRESSION`.
  package init?(_ text: String) {
    if text.hasPrefix("jq:") {
      self = .jq(String(text.dropFirst(3)))
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count) {
    case ("diverges", 1): self = .diverges
    case ("finding", 1): self = .finding(nil)
    case ("finding", 2):
      guard let guarantee = Finding.Guarantee(rawValue: parts[1]) else { return nil }
      self = .finding(guarantee)
    case ("rule", 2...3):
      guard let rule = Rule(rawValue: parts[1]) else { return nil }
      let mode = parts.count > 2 ? FetchMode(rawValue: parts[2]) : nil
      if parts.count > 2, mode == nil { return nil }
      self = .rule(rule, mode)
    default: return nil
    }
  }

  /// The forms that ``init(_:)`` reads, for help and errors.
  package static let forms =
    "diverges, finding, finding:GUARANTEE (\(Finding.Guarantee.allCases.map(\.rawValue).joined(separator: ", "))), "
    + "rule:expired, rule:countDiffers:repair, jq:EXPRESSION"
}

/// A predicate with its result for the original log.
package struct LogTarget: Sendable {
  package let predicate: LogPredicate
  private let divergence: DivergenceShape?
  private let finding: FindingShape?
  private let jq: @Sendable (LogDraft, String) -> Bool

  /// What makes two divergences the same, whatever the numbers are.
  private struct DivergenceShape: Hashable, Sendable {
    var title: String
    var scope: ScopeID?
    var rule: Rule?
    var words: [String]

    init(_ divergence: Divergence) {
      title = divergence.title
      scope = divergence.scope
      rule = divergence.rule
      switch divergence.difference {
      case .decision(let recorded, let now): words = [Self.words(recorded), Self.words(now)]
      case .missing(let now): words = [Self.words(now)]
      case .unexpected(let recorded): words = [Self.words(recorded)]
      case .records, .control: words = []
      }
    }

    private static func words(_ decision: Decision) -> String {
      guard case .fetchStarted(let started) = decision else {
        return "\(decision.kind.rawValue) \(decision.rule.rawValue)"
      }
      return "\(started.mode.rawValue) \(started.rule.rawValue)"
    }
  }

  private struct FindingShape: Hashable, Sendable {
    var guarantee: Finding.Guarantee
    var rule: Rule?
    var scope: ScopeID?

    init(_ finding: Finding) { (guarantee, rule, scope) = (finding.guarantee, finding.rule, finding.scope) }
  }

  /// Whether the predicate is about digests of the state, so that no turn can be left out.
  package var isAboutState: Bool { divergence.map { $0.words.isEmpty } ?? false }

  /// Finds a predicate in a log; nil if it doesn't hold there.
  ///
  /// - Parameter jq: Returns whether an expression of jq holds for a draft.
  package init?(
    _ predicate: LogPredicate, in draft: LogDraft,
    jq: @escaping @Sendable (LogDraft, String) -> Bool = { _, _ in false }
  ) {
    self.predicate = predicate
    self.jq = jq
    var divergence: DivergenceShape?
    var finding: FindingShape?
    switch predicate {
    case .diverges:
      divergence = Self.divergence(of: draft)
      if divergence == nil { return nil }
    case .finding(let guarantee):
      finding = Self.summary(of: draft).findings.first { guarantee == nil || $0.guarantee == guarantee }
        .map { FindingShape($0) }
      if finding == nil { return nil }
    case .rule, .jq: break
    }
    (self.divergence, self.finding) = (divergence, finding)
    if !holds(for: draft) { return nil }
  }

  /// Whether the predicate holds for a draft, as it did for the original log.
  package func holds(for draft: LogDraft) -> Bool {
    switch predicate {
    case .diverges: Self.divergence(of: draft) == divergence
    case .finding: Self.summary(of: draft).findings.contains { FindingShape($0) == finding }
    case .rule(let rule, let mode):
      draft.turns.contains { turn in
        turn.events.contains { event in
          guard case .decision(let decision) = event, decision.rule == rule else { return false }
          guard let mode else { return true }
          if case .fetchStarted(let started) = decision { return started.mode == mode }
          return false
        }
      }
    case .jq(let expression): jq(draft, expression)
    }
  }

  private static func divergence(of draft: LogDraft) -> DivergenceShape? {
    let (path, storage) = draft.inMemory
    guard case .diverged(let divergence, _) = RecordingResult(replaying: path, storage: storage).outcome else {
      return nil
    }
    return DivergenceShape(divergence)
  }

  private static func summary(of draft: LogDraft) -> FlightSummary {
    let (path, storage) = draft.inMemory
    return FlightSummary(path: path, storage: storage)
  }
}
