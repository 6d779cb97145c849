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
  package func results(onStart: @escaping (Int, String) -> Void = { _, _ in }) -> [RecordingResult] {
    let airports = AirportFindings()
    return ParallelWork.results(paths.count, threads: workerCount, onStart: { onStart($0 + 1, paths[$0]) }) { index in
      RecordingResult(
        replaying: paths[index], until: until, threads: threadsPerRecording, blobsBeside: paths[index],
        findings: airports.memory)
    }
  }
}

/// The results of reading airport files. The logs of a fleet load the same files, and each is read and verified once.
private final class AirportFindings: @unchecked Sendable {
  private var findings: [AirportsFinding.File: AirportsFinding] = [:]
  /// Lets one thread in at a time.
  private let gate = DispatchSemaphore(value: 1)

  var memory: AirportsFinding.Memory {
    .init(
      finding: { file in self.exclusively { self.findings[file] } },
      keep: { file, finding in self.exclusively { self.findings[file] = finding } })
  }

  private func exclusively<Value>(_ body: () -> Value) -> Value {
    gate.wait()
    defer { gate.signal() }
    return body()
  }
}
