import ContrailCore
import ContrailWire

/// Makes a log as short as it can while a predicate holds.
///
/// First the end is cut, and then the start, which a snapshot replaces. Then turns, parts of the snapshot, and records are left out by
/// delta debugging: halves, quarters and so on, and at last single ones. Decisions stay as they were recorded.
package struct LogShrinker {
  /// The maximum number of candidates that are tried.
  package var maximumTrials: Int
  /// The number of candidates that were tried.
  package private(set) var trials = 0
  private let target: LogTarget
  private let onTrial: (Int, LogDraft) -> Void

  /// - Parameters:
  ///   - target: What must stay true.
  ///   - maximumTrials: The maximum number of candidates that are tried.
  ///   - onTrial: Called with the number of trials and the shortest draft so far.
  package init(
    _ target: LogTarget, maximumTrials: Int = 2000, onTrial: @escaping (Int, LogDraft) -> Void = { _, _ in }
  ) {
    self.target = target
    self.maximumTrials = maximumTrials
    self.onTrial = onTrial
  }

  /// Returns the shortest draft that was found.
  ///
  /// - Complexity: O(log *n*) replays of the whole log, and then replays of the rest.
  package mutating func shorten(_ draft: LogDraft) -> LogDraft {
    var best = draft
    if !target.isAboutState { _ = attempt(&best, best.withoutDigests) }
    cutEnd(&best)
    cutStart(&best)
    guard !target.isAboutState else { return best }
    var lineCount = Int.max
    while best.lineCount < lineCount {
      lineCount = best.lineCount
      reduce(&best, best.turns) { $0.turns = $1 }
      // A later snapshot may replace the remaining lines before it.
      cutStart(&best)
      reduceSnapshot(&best)
    }
    reduceAnswers(&best)
    return best
  }

  /// Keeps a candidate if the predicate holds for it.
  private mutating func attempt(_ best: inout LogDraft, _ candidate: LogDraft) -> Bool {
    guard trials < maximumTrials else { return false }
    trials += 1
    let holds = target.holds(for: candidate)
    if holds { best = candidate }
    onTrial(trials, best)
    return holds
  }

  /// Cuts what follows the place where the predicate becomes true, by bisection.
  private mutating func cutEnd(_ best: inout LogDraft) {
    var (low, high) = (0, best.turns.count)
    let whole = best
    while low + 1 < high {
      let middle = low + (high - low) / 2
      var candidate = whole
      candidate.turns = Array(whole.turns[..<middle])
      if attempt(&best, candidate) { high = middle } else { low = middle }
    }
  }

  /// Replaces as many turns as possible by a snapshot: all but the last, all but two, four, eight …
  private mutating func cutStart(_ best: inout LogDraft) {
    var kept = 1
    while kept < best.turns.count {
      if attempt(&best, best.starting(atTurn: best.turns.count - kept)) { return }
      kept *= 2
    }
  }

  /// Leaves out elements by delta debugging.
  private mutating func reduce<T>(
    _ best: inout LogDraft, _ elements: [T], _ put: (inout LogDraft, [T]) -> Void
  ) {
    var rest = elements
    var size = max(1, rest.count / 2)
    while !rest.isEmpty, trials < maximumTrials {
      var isShorter = false
      var index = 0
      while index < rest.count, trials < maximumTrials {
        var fewer = rest
        fewer.removeSubrange(index..<min(index + size, rest.count))
        var candidate = best
        put(&candidate, fewer)
        if attempt(&best, candidate) {
          rest = fewer
          isShorter = true
        } else {
          index += size
        }
      }
      if size == 1, !isShorter { return }
      if !isShorter || size > rest.count { size = max(1, size / 2) }
    }
  }

  private mutating func reduceSnapshot(_ best: inout LogDraft) {
    guard let control = best.start.first else { return }
    reduce(&best, Array(best.start.dropFirst())) { $0.start = [control] + $1 }
    for index in best.start.indices.dropFirst() {
      switch best.start[index] {
      case .reports(let id, let records): reduce(&best, records) { $0.start[index] = .reports(id, $1) }
      case .pireps(let id, let records): reduce(&best, records) { $0.start[index] = .pireps(id, $1) }
      case .traffic(let id, let records): reduce(&best, records) { $0.start[index] = .traffic(id, $1) }
      case .control, .polygons, .weather: break
      }
    }
  }

  /// Leaves records out of the answers. Their sums stay as the server gave them.
  private mutating func reduceAnswers(_ best: inout LogDraft) {
    for index in best.turns.indices {
      guard case .responseReceived(let response) = best.turns[index].input,
        let answer = try? response.body.observations(),
        !answer.reports.isEmpty
      else { continue }
      reduce(&best, answer.reports) { draft, reports in
        var (response, answer) = (response, answer)
        answer.reports = reports
        response.body = .answer(answer)
        draft.turns[index].events[0] = .input(.responseReceived(response))
      }
    }
  }
}
