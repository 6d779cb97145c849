import ContrailTestSupport
import ContrailTesting
import ContrailWhatIfTruth
import ContrailWorld
import Foundation

/// Compares what-if with the truth over many seeded flights, and prints how often the intervals hold it.
///
/// Arguments: the number of flights, the first seed, the number of runs of each prediction, and the name of one kind of alternative.
/// With `CONTRAIL_DATA`, most tracks are those of real flights, and some flights are in a recorded day. The flights of fewer than 200
/// are short, so that a build for debugging takes less than a minute.
///
/// `--tracks` flies each real track from its first position to its last one, with a viewport, under each kind of alternative, in an
/// order drawn from the seed. `--minutes N` starts no flight after that time, so the flights are then a sample.
///
/// `--days` flies real tracks through the recorded days of `CONTRAIL_DATA` over links with outages instead, and judges the logs.
///
/// `--listening` lets all flights listen whose server has the extensions, instead of half of them.
///
/// `--long` flies as long as 200 flights or more would, and `--keep FOLDER` keeps the recordings, for a look at a seed that misses.
var words = Array(CommandLine.arguments.dropFirst())
let fliesTracks = words.contains("--tracks")
let isLong = words.contains("--long")
let fliesDays = words.contains("--days")
let listens = words.contains("--listening")
words.removeAll { ["--tracks", "--long", "--days", "--listening"].contains($0) }
var keptFolder: String?
if let index = words.firstIndex(of: "--keep"), index + 1 < words.count {
  keptFolder = words[index + 1]
  try FileManager.default.createDirectory(atPath: words[index + 1], withIntermediateDirectories: true)
  words.removeSubrange(index...index + 1)
}
var limit = ContinuousClock.Instant?.none
if let index = words.firstIndex(of: "--minutes"), index + 1 < words.count, let minutes = Int(words[index + 1]) {
  limit = .now + .seconds(60 * minutes)
  words.removeSubrange(index...index + 1)
}
let arguments = words.compactMap { UInt64($0) }
var flightCount = Int(arguments.first ?? 1000)
let firstSeed = arguments.dropFirst().first ?? 1
let runs = Int(arguments.dropFirst(2).first ?? 5)
let only = words.first { UInt64($0) == nil }
let kinds = AlternativeKind.all.filter { only == nil || $0.name == only }
guard !kinds.isEmpty else {
  print("no kind of alternative is called '\(only ?? "")': " + AlternativeKind.all.map(\.name).joined(separator: "; "))
  exit(64)
}

var material = HeldOutFlight.Material()
let fliesLong = flightCount >= 200 || fliesTracks || isLong
if !fliesLong {
  material.minutes = 25...50
  material.aircraft = 120
}
material.listens = listens
if let data = SharedData.folder {
  let names = try FileManager.default.contentsOfDirectory(atPath: data + "/flights").filter { $0.hasSuffix(".csv") }
  material.tracks = try names.sorted().map { name in
    (String(name.dropLast(4)), try Track(csv: String(contentsOfFile: "\(data)/flights/\(name)", encoding: .utf8)))
  }
  if fliesLong {
    material.day = try RecordedDay(
      pireps: [data + "/pireps/awc-pireps-2026-05-30.json"],
      states: [data + "/traffic/opensky-states-2021-10-17T1149Z.json.xz"],
      sigmets: [data + "/sigmet/awc-gairmet-2026-05-30.json"])
  }
}
if fliesDays {
  do {
    exit(try await RealDays.fly(flightCount, from: firstSeed, of: material, until: limit, keptIn: keptFolder))
  } catch {
    print("\(error)")
    exit(1)
  }
}
print("\(material.tracks.count) real tracks, \(material.day == nil ? "no recorded day" : "a recorded day")")

/// One comparison: a kind of alternative, and the track that is flown whole.
struct Pair {
  var kind: Int
  var seed: UInt64
  var track: Int?
}

var pairs: [Pair] = []
if fliesTracks {
  guard !material.tracks.isEmpty else {
    print("--tracks needs the real tracks of CONTRAIL_DATA")
    exit(64)
  }
  for track in material.tracks.indices {
    for kind in kinds.indices { pairs.append(Pair(kind: kind, seed: firstSeed + UInt64(track), track: track)) }
  }
  var random = SplitMix64(seed: firstSeed)
  pairs.shuffle(using: &random)
  flightCount = pairs.count
} else {
  pairs = (0..<flightCount).map { Pair(kind: $0 % kinds.count, seed: firstSeed + UInt64($0)) }
}

let (ready, kept, deadline) = (material, keptFolder, limit)
let recordings = try TemporaryDirectory(isInMemory: true)
var checks = Array(repeating: TruthCheck(), count: kinds.count)
var flown = 0
await withTaskGroup(of: (Pair, TruthCheck).self) { group in
  var waiting = pairs
  var busy: Set<Int> = []
  /// Starts the next comparison. Two of one track don't run at the same time, because the first one writes its recording.
  func start() {
    if let deadline, deadline < .now { return }
    guard let index = waiting.firstIndex(where: { $0.track.map { !busy.contains($0) } ?? true }) else { return }
    let pair = waiting.remove(at: index)
    if let track = pair.track { busy.insert(track) }
    group.addTask {
      var material = ready
      material.wholeTrack = pair.track
      let shared = pair.track == nil ? nil : recordings.path
      return (
        pair,
        await TruthCheck(kinds[pair.kind], seed: pair.seed, of: material, runs: runs, sharedIn: shared, keptIn: kept)
      )
    }
  }
  for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { start() }
  for await (pair, check) in group {
    if let track = pair.track { busy.remove(track) }
    flown += 1
    if fliesTracks {
      FileHandle.standardError.write(
        Data("\(flown) of \(flightCount): \(ready.tracks[pair.track ?? 0].name), \(kinds[pair.kind].name)\n".utf8))
    }
    checks[pair.kind].add(check)
    start()
  }
}
if flown < flightCount {
  print("\(flown) of \(flightCount) flights" + (fliesTracks ? ", in an order drawn from seed \(firstSeed)" : ""))
}

func percent(_ coverage: TruthCheck.Coverage) -> String {
  coverage.count == 0 ? "–" : String(format: "%.1f", 100 * Double(coverage.held) / Double(coverage.count))
}

func padded(_ text: String, _ width: Int) -> String {
  text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
}

var total = TruthCheck()
for check in checks { total.add(check) }
print("the server held requests in \(total.listened) of the \(flown) flights")
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
