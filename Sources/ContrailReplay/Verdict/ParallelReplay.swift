import Dispatch

/// Replays many recordings at the same time, one on each core.
///
/// The results don't depend on the number of cores or on which recording ends first. The memory is that of one state for
/// each core, and of the results.
package struct ParallelReplay: Sendable {
  /// The number of recordings that are replayed at the same time.
  package let workerCount: Int
  private let threadsPerRecording: Int
  private let paths: [String]
  private let until: TimelinePosition?

  /// Creates a replay.
  ///
  /// - Parameters:
  ///   - paths: The recordings.
  ///   - until: The last time to replay, or `nil` for whole recordings.
  ///   - coreCount: The number of cores. With fewer recordings than cores, each recording is read on one core and applied
  ///     on another.
  package init(_ paths: [String], until: TimelinePosition? = nil, coreCount: Int) {
    self.paths = paths
    self.until = until
    workerCount = max(1, min(coreCount, paths.count))
    threadsPerRecording = coreCount > workerCount ? 2 : 1
  }

  /// Returns the result of each recording, in the order of the paths.
  ///
  /// - Parameter onStart: Called with the number of recordings that were started, and the path of the last one. Calls
  ///   come from several threads, one after the other.
  package func results(onStart: @escaping @Sendable (Int, String) -> Void = { _, _ in }) -> [RecordingResult] {
    let work = Work(paths, onStart)
    if workerCount == 1 {
      replayAll(work)
    } else {
      DispatchQueue.concurrentPerform(iterations: workerCount) { _ in replayAll(work) }
    }
    return work.results.compactMap(\.self)
  }

  private func replayAll(_ work: Work) {
    while let (index, path) = work.next() {
      work.finish(index, RecordingResult(replaying: path, until: until, threads: threadsPerRecording))
    }
  }

  /// The recordings that are not yet started, and the results. The gate lets one thread in at a time.
  private final class Work: @unchecked Sendable {
    private let paths: [String]
    private let onStart: @Sendable (Int, String) -> Void
    private let gate = DispatchSemaphore(value: 1)
    private var started = 0
    private(set) var results: [RecordingResult?]

    init(_ paths: [String], _ onStart: @escaping @Sendable (Int, String) -> Void) {
      self.paths = paths
      self.onStart = onStart
      results = Array(repeating: nil, count: paths.count)
    }

    func next() -> (index: Int, path: String)? {
      gate.wait()
      defer { gate.signal() }
      guard started < paths.count else { return nil }
      started += 1
      onStart(started, paths[started - 1])
      return (started - 1, paths[started - 1])
    }

    func finish(_ index: Int, _ result: RecordingResult) {
      gate.wait()
      defer { gate.signal() }
      results[index] = result
    }
  }
}
