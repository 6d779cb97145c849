import ContrailWire

/// The records of a world by the time of their arrival, in pieces of a minute that are made when they are needed.
struct ArrivalLog: Sendable {
  private var minutes: [Int64: [HoldRegistry.Arrival]] = [:]
  private var uses: [Int64] = []

  private static let minuteSeconds: Int64 = 60
  /// Two hours.
  private static let maximumCount = 120

  /// Returns the records that arrive from `start` until before `end`, in seconds since 1970, in order.
  ///
  /// - Complexity: O(records of these minutes), and for a new minute O(records of the longest history).
  mutating func arrivals(from start: Int64, to end: Int64, in archive: inout WorldArchive) -> [HoldRegistry.Arrival] {
    guard start < end, start >= 0 else { return [] }
    // Older changes are answered at once, so they needn't be known exactly.
    let start = max(start, end - Self.minuteSeconds * Int64(Self.maximumCount))
    var result: [HoldRegistry.Arrival] = []
    for minute in start / Self.minuteSeconds...(end - 1) / Self.minuteSeconds {
      for arrival in records(of: minute, in: &archive) where (start..<end).contains(arrival.second) {
        result.append(arrival)
      }
    }
    return result
  }

  private mutating func records(of minute: Int64, in archive: inout WorldArchive) -> [HoldRegistry.Arrival] {
    if let known = minutes[minute] { return known }
    let span = minute * Self.minuteSeconds..<(minute + 1) * Self.minuteSeconds
    let records = Self.arrivals(
      in: span, of: archive.epochs(after: span.lowerBound - UploadStore.longestHistory, before: span.upperBound))
    minutes[minute] = records
    uses.append(minute)
    if uses.count > Self.maximumCount { minutes[uses.removeFirst()] = nil }
    return records
  }

  /// Returns the records of epochs that arrive in a span, in seconds since 1970, in order.
  static func arrivals(in span: Range<Int64>, of epochs: [WorldEpoch]) -> [HoldRegistry.Arrival] {
    var records: [HoldRegistry.Arrival] = []
    for epoch in epochs {
      records += epoch.observations.lazy.filter { span.contains($0.arrival) }.map { .report($0) }
      for history in epoch.pireps {
        for pirep in [history.first, history.correction].compactMap({ $0 }) where span.contains(pirep.updatedAt) {
          records.append(.pirep(pirep))
        }
      }
    }
    return records.sorted { $0.second < $1.second }
  }
}
