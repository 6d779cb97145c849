import ContrailReplay
import Dispatch

/// Summarizes any number of logs: a path in, a line of JSON out.
///
/// Paths are read as workers need them, and lines are passed on as soon as they are complete, so the memory doesn't grow with the
/// number of logs.
package struct FleetFold: Sendable {
  /// The number of logs that are read at the same time.
  package var workerCount: Int
  /// Whether lines come in the order of the paths, or as they are complete.
  package var isOrdered: Bool
  /// Whether each line lists the cells of the planner's table.
  package var listsCells: Bool

  package init(workerCount: Int = 1, isOrdered: Bool = true, listsCells: Bool = false) {
    self.workerCount = max(1, workerCount)
    self.isOrdered = isOrdered
    self.listsCells = listsCells
  }

  /// The counts of a fleet.
  package struct Counts: Hashable, Sendable {
    package var same = 0
    package var diverged = 0
    package var unreadable = 0
    /// The number of logs with findings.
    package var withFindings = 0
    package var byteCount: Int64 = 0

    package var total: Int { same + diverged + unreadable }

    mutating func add(_ summary: FlightSummary) {
      switch summary.outcome {
      case .same: same += 1
      case .diverged: diverged += 1
      case .unreadable: unreadable += 1
      }
      if summary.findingCount > 0 { withFindings += 1 }
      byteCount += summary.byteCount
    }

    /// The counts as a line of text.
    package var text: String {
      "\(Words.count(total, "log")): \(same) same, \(diverged) diverged, \(unreadable) unreadable; \(withFindings) with findings"
    }
  }

  /// Summarizes the logs.
  ///
  /// - Parameters:
  ///   - nextPath: Returns the next path, or nil at the end. Calls come from several threads, one after the other.
  ///   - emit: Takes a line of JSON and the counts so far. Calls come from several threads, one after the other.
  /// - Returns: The counts.
  package func run(
    nextPath: @escaping () -> String?, emit: @escaping (_ line: String, _ counts: Counts) -> Void
  ) -> Counts {
    let work = Work(limit: workerCount * 16, isOrdered: isOrdered, nextPath, emit)
    DispatchQueue.concurrentPerform(iterations: workerCount) { _ in runAll(work) }
    return work.counts
  }

  private func runAll(_ work: Work) {
    while let (index, path) = work.next() {
      let summary = FlightSummary(path: path)
      work.finish(index, summary.json(listingCells: listsCells), summary)
    }
  }

  /// The paths that are not yet read and the lines that are not yet passed on. The gate lets one thread in at a time.
  private final class Work: @unchecked Sendable {
    private let isOrdered: Bool
    private let nextPath: () -> String?
    private let emit: (String, Counts) -> Void
    private let gate = Gate()
    /// Room for lines that wait for an earlier one. The worker with the earliest path never waits for it.
    private let room: DispatchSemaphore
    private var started = 0
    private var emitted = 0
    private var waiting: [Int: String] = [:]
    private(set) var counts = Counts()

    init(
      limit: Int, isOrdered: Bool, _ nextPath: @escaping () -> String?, _ emit: @escaping (String, Counts) -> Void
    ) {
      self.isOrdered = isOrdered
      self.nextPath = nextPath
      self.emit = emit
      // A semaphore must end with at least its first value, so it starts at 0.
      room = DispatchSemaphore(value: 0)
      for _ in 0..<limit { room.signal() }
    }

    func next() -> (index: Int, path: String)? {
      room.wait()
      return gate.within {
        guard let path = nextPath() else { return nil }
        started += 1
        return (started - 1, path)
      }
    }

    func finish(_ index: Int, _ line: String, _ summary: FlightSummary) {
      gate.within {
        counts.add(summary)
        guard isOrdered else {
          emit(line, counts)
          room.signal()
          return
        }
        waiting[index] = line
        while let line = waiting.removeValue(forKey: emitted) {
          emitted += 1
          emit(line, counts)
          room.signal()
        }
      }
    }
  }
}
