import ContrailRecorder
import ContrailWhatIfTruth
import ContrailWorld
import Foundation

/// Compares what-if with the truth over many seeded flights, and prints how often the intervals hold it.
///
/// Arguments: the number of flights, the first seed, the number of runs of each prediction, and the name of one kind of alternative.
/// With `CONTRAIL_DATA`, most tracks are those of real flights, and some flights are in a recorded day. The flights of fewer than 200
/// are short, so that a build for debugging takes less than a minute.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let flightCount = Int(arguments.first ?? 1000)
let firstSeed = arguments.dropFirst().first ?? 1
let runs = Int(arguments.dropFirst(2).first ?? 5)
let only = CommandLine.arguments.dropFirst().first { UInt64($0) == nil }
let kinds = AlternativeKind.all.filter { only == nil || $0.name == only }
guard !kinds.isEmpty else {
  print("no kind of alternative is called '\(only ?? "")': " + AlternativeKind.all.map(\.name).joined(separator: "; "))
  exit(64)
}

var material = HeldOutFlight.Material()
if flightCount < 200 {
  material.minutes = 25...50
  material.aircraft = 120
}
if let data = ProcessInfo.processInfo.environment["CONTRAIL_DATA"] {
  let names = try FileManager.default.contentsOfDirectory(atPath: data + "/flights").filter { $0.hasSuffix(".csv") }
  material.tracks = try names.sorted().map { name in
    (String(name.dropLast(4)), try Track(csv: String(contentsOfFile: "\(data)/flights/\(name)", encoding: .utf8)))
  }
  if flightCount >= 200 {
    material.day = try RecordedDay(
      pireps: [data + "/pireps/awc-pireps-2026-05-30.json"],
      states: [data + "/traffic/opensky-states-2021-10-17T1149Z.json.xz"],
      sigmets: [data + "/sigmet/awc-gairmet-2026-05-30.json"])
  }
}
print("\(material.tracks.count) real tracks, \(material.day == nil ? "no recorded day" : "a recorded day")")

let ready = material
var checks = Array(repeating: TruthCheck(), count: kinds.count)
await withTaskGroup(of: (Int, TruthCheck).self) { group in
  var next = 0
  func start() {
    guard next < flightCount else { return }
    let index = next
    next += 1
    group.addTask {
      let kind = index % kinds.count
      return (kind, await TruthCheck(kinds[kind], seed: firstSeed + UInt64(index), of: ready, runs: runs))
    }
  }
  for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { start() }
  for await (kind, check) in group {
    checks[kind].add(check)
    start()
  }
}

func percent(_ coverage: TruthCheck.Coverage) -> String {
  coverage.count == 0 ? "–" : String(format: "%.1f", 100 * Double(coverage.held) / Double(coverage.count))
}

func padded(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

var total = TruthCheck()
for check in checks { total.add(check) }
print(
  "held by the interval, in % of the estimates with one (median width of the interval, in % of the truth; their number)"
)
for figure in TruthCheck.names {
  print("\n" + figure)
  for (name, check) in zip(kinds.map(\.name) + ["all"], checks + [total]) {
    guard let coverage = check.figures[figure], coverage.count + coverage.without > 0 else { continue }
    let without = coverage.without > 0 ? ", without an interval \(coverage.without)" : ""
    print(
      "  " + padded(name, 32) + padded(percent(coverage), 7)
        + padded("(\(String(format: "%.1f", 100 * coverage.medianWidth)); \(coverage.count)\(without))", 20)
        + (coverage.isPlausible ? "" : "  too few"))
  }
}
for figure in TruthCheck.names {
  for miss in total.figures[figure]?.misses ?? [] { print("outside, \(figure): \(miss)") }
}
print(
  "no verdict on all of the figures: " + zip(kinds, checks).map { "\($0.name) \($1.refused)" }.joined(separator: ", "))
total.faults.prefix(10).forEach { print($0) }
let isHeld =
  total.figures.values.allSatisfy { Double($0.held) >= 0.95 * Double($0.count) }
  && checks.allSatisfy { $0.figures.values.allSatisfy(\.isPlausible) }
print(
  isHeld ? "every figure is held in at least 95 % of the flights" : "a figure is held in less than 95 % of the flights")
exit(isHeld && total.faults.isEmpty ? 0 : 1)
