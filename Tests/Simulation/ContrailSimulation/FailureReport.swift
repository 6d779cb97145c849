import ContrailTestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A flight that failed: shortened, told in words, and written as a recording.
package struct FailureReport: Sendable {
  package var seed: UInt64
  package var verdict: Verdict
  /// The shortened script.
  package var script: Script
  package var originalStepCount: Int
  /// Where the log of the shortened flight is: a directory that `replay run` takes; nil where it could not be written.
  package var recording: String?

  /// Shortens a flight that failed and writes its log beneath a folder.
  package static func make(
    _ result: Simulation.Result, _ verdict: Verdict, sabotage: Sabotage? = nil, into folder: String
  ) async -> FailureReport {
    let shrinker = Shrinker { script in await Simulation(script, sabotage: sabotage).fly().verdict }
    let shortened = await shrinker.shortened(result.script, verdict)
    let last = await Simulation(shortened.script, sabotage: sabotage).fly()
    let target = "\(folder)/seed-\(result.script.seed)"
    return FailureReport(
      seed: result.script.seed, verdict: shortened.verdict, script: shortened.script,
      originalStepCount: result.script.steps.count, recording: last.write(to: target) ? target : nil)
  }

  /// What a person needs to fly it again.
  package var text: String {
    var lines = ["seed \(seed): \(verdict)", "  \(script.steps.count) of \(originalStepCount) steps still fail so:"]
    lines += script.steps.map { "    \($0.text)," }
    lines.append("  setting \(script.setting)")
    lines.append("  again   Scripts/simulate \(seed)")
    if let recording { lines.append("  replay  swift run replay run \(recording)") }
    return lines.joined(separator: "\n")
  }
}

extension Simulation.Result {
  /// Writes the log of the flight into a folder, as a recording. Returns false if that fails.
  package func write(to folder: String) -> Bool {
    let prefix = Simulation.path + "/"
    do {
      for (path, bytes) in files.sorted(by: { $0.key < $1.key }) where path.hasPrefix(prefix) {
        let target = "\(folder)/\(path.dropFirst(prefix.count))"
        Self.makeFolder(of: target)
        try TemporaryDirectory.put(bytes, target)
      }
      return true
    } catch {
      return false
    }
  }

  private static func makeFolder(of path: String) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/").dropLast() {
      made += "/\(part)"
      mkdir(made, 0o777)
    }
  }
}
