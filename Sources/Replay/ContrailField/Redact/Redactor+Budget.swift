import ContrailCore

// Logs with a byte budget: the bytes that are used of it decide what is fetched.

extension Redactor {
  /// Returns an input whose sizes use up as much of the budget as those of the original, by the levels of ``DataSaving``.
  ///
  /// - Parameters:
  ///   - input: The redacted input.
  ///   - then: The use after the original input.
  ///   - now: The redacted state before the input.
  ///   - record: Returns the line with an input.
  func fitted(_ input: Input, to then: ByteUse, _ now: State, _ record: (Input) -> Record) -> Input {
    guard then.budget.bytes != nil else { return input }
    var trial = now
    trial.evolve(record(input))
    let used = trial.byteUse.used
    let bounds = then.budget.bytesUsed(at: then.budget.saving(afterUsing: then.used))
    let extra = min(max(used, bounds.lowerBound), bounds.upperBound) - used
    switch input {
    case .responseReceived(var response):
      let total = max(response.wireBytes + (response.sent?.total ?? 0) + extra, 0)
      response.sent = response.sent?.limited(to: total)
      response.wireBytes = total - (response.sent?.total ?? 0)
      response.headBytes = response.headBytes.map { min($0, response.wireBytes) }
      return .responseReceived(response)
    case .responseFailed(let request, let failure, let sent):
      let total = max((sent?.total ?? 0) + extra, 0)
      return .responseFailed(
        request: request, failure: failure, sent: sent.map { SentBytes(total: total, head: min($0.head, total)) })
    case .weatherReceived(var received):
      received.wireBytes = max(received.wireBytes + extra, 0)
      return .weatherReceived(received)
    default: return input
    }
  }

  /// Returns the seconds by which a log is moved so that no day of its budget ends in it.
  ///
  /// - Parameter span: The times of the first and the last line, in milliseconds since 1970.
  /// - Returns: Nil if the log is longer than a day.
  static func shift(of span: ClosedRange<Int64>, by seconds: Int64, _ word: UInt64) -> Int64? {
    let day: Int64 = 86_400
    // Waits for the weather may become longer.
    let length = (span.upperBound - span.lowerBound) / 1000 + 3600
    guard length < day else { return nil }
    let first = span.lowerBound / 1000
    return (first + seconds) / day * day + Int64(word % UInt64(day - length)) - first
  }
}

extension SentBytes {
  fileprivate func limited(to bytes: Int64) -> SentBytes {
    SentBytes(total: min(total, bytes), head: min(head, bytes))
  }
}

extension ByteBudget {
  /// Returns the numbers of used bytes at which this is dropped.
  func bytesUsed(at saving: DataSaving) -> ClosedRange<Int64> {
    let most = Int64.max / 4
    /// The first number from 0 on at which at least this is dropped.
    func first(_ saving: DataSaving) -> Int64 {
      var (low, high) = (Int64(0), max(bytes ?? 0, 0))
      while low < high {
        let middle = (low + high) / 2
        if self.saving(afterUsing: middle) >= saving { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let lower = first(saving)
    guard let next = DataSaving.allCases.first(where: { $0 > saving }) else { return lower...most }
    return lower...max(first(next) - 1, lower)
  }
}

extension LogDraft {
  /// The times of the first and the last line if a budget lasts for a day, in milliseconds since 1970; otherwise nil.
  var spanWithDailyBudget: ClosedRange<Int64>? {
    func isDaily(_ budget: ByteBudget) -> Bool {
      guard budget.bytes != nil, case .day = budget.period else { return false }
      return true
    }
    let isCounted =
      isDaily(startState.byteUse.budget)
      || turns.contains { if case .budgetChanged(let budget)? = $0.input { isDaily(budget) } else { false } }
    guard isCounted, let first = start.isEmpty ? turns.first?.at : startAt else { return nil }
    return first...max(turns.last?.at ?? first, first)
  }
}
