// Measures launches and queries with many held reports, from the on-disk projection and from the log's snapshot.
//
//   StoreBench FOLDER [REPORTS]      default: 100,000 reports
//
// Writes reports.csv and query.txt to the folder, which peers/store.py uses with SQLite's R*Tree and DuckDB. Prints
// JSON with medians in nanoseconds.

import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailLog
import ContrailQuery
import ContrailStore
import ContrailWire
import Foundation

struct Usage: Error {}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Digest.mix(state)
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let wanted = Int(arguments.count > 2 ? arguments[2] : "100000"), wanted > 0 else {
  print("usage: StoreBench FOLDER [REPORTS]")
  throw Usage()
}
let folder = arguments[1]
let now: Int64 = 1_740_000_000_000
let token = now / 1000

// MARK: Reports over the North Atlantic

var random = Generator(state: 1)
var held: Set<TurbulenceReport> = []
while held.count < wanted {
  let point = Coordinate(
    latitude: Double.random(in: 40...60, using: &random), longitude: Double.random(in: -60...0, using: &random))
  guard let cell = (try? H3Cell(point, resolution: 5))?.packed22 else { continue }
  let edr = UInt16.random(in: 1...5999, using: &random)
  held.insert(
    TurbulenceReport(
      cell: cell, altitude: UInt8.random(in: 24...45, using: &random), severity: UInt8(edr / 1200), edrE4: edr,
      observedAt: UInt32(token - Int64.random(in: 1...7000, using: &random))))
}
let reports = held.sorted { ($0.packed, $0.observedAt) < ($1.packed, $1.observedAt) }

func rectangle(_ half: Int64) -> ResolvedQuery.Points {
  let degree = FixedCoordinate.degree
  let (north, south) = (50 * degree + half, 50 * degree - half)
  let (west, east) = (-30 * degree - 3 * half / 2, -30 * degree + 3 * half / 2)
  return [(north, west), (north, east), (south, east), (south, west), (north, west)].map {
    FixedCoordinate(latitudeE7: $0.0, longitudeE7: $0.1)
  }
}

// MARK: State with the reports

var state = State()
var seq: Int64 = 0

@MainActor func fold(_ event: Event) {
  state.evolve(Record(seq: seq, at: now, event: event))
  seq += 1
}

var query = ResolvedQuery()
query.polygon = [(60, -60), (60, -40), (60, -20), (60, 0), (40, 0), (40, -20), (40, -40), (40, -60), (60, -60)].map {
  FixedCoordinate(latitudeE7: Int64($0.0) * FixedCoordinate.degree, longitudeE7: Int64($0.1) * FixedCoordinate.degree)
}
fold(.input(.sessionStarted(.init(engine: "1.0.0", id: "bench", seed: 1))))
fold(.input(.connectivityChanged(isOnline: true)))
fold(.input(.queryChanged(query)))
for decision in state.decide() { fold(.decision(decision)) }
let answer = ObservationsAnswer(
  token: token, held: HeldSum(count: reports.count, checksum: reports.reduce(0) { $0 &+ $1.digest }), reports: reports)
fold(
  .input(
    .responseReceived(
      .init(request: 1, status: 200, wireBytes: 0, serverTimeMS: now, body: .inline(answer.json)))))
guard state.scope(.corridor)?.reports.count == reports.count else {
  print("StoreBench: the state doesn't hold the reports")
  throw Usage()
}

// MARK: Store and log on disk

try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let (database, log) = (folder + "/projections.sqlite", folder + "/snapshot.jsonl")
let position = LogPosition(seq: seq - 1, crc: 1)
do {
  let store = try ProjectionStore(path: database)
  try store.rebuild(from: state, through: position)
  try store.close()
  let writer = try LogWriter.create(path: log, at: now, policy: .interval(milliseconds: 1000))
  var batch = writer.batch()
  for part in state.snapshotParts {
    _ = try batch.add("snapshot.part", at: now, payload: Event.mark(.snapshotPart(part)).payload)
  }
  _ = try batch.add("snapshot.ended", at: now)
  try writer.append(batch)
  try writer.sync(at: now)
}

// MARK: Measuring

func median<Failure: Error>(_ runs: Int, _ body: () throws(Failure) -> Void) throws(Failure) -> Int {
  var times: [Duration] = []
  for _ in 0..<runs {
    let start = ContinuousClock.now
    try body()
    times.append(ContinuousClock.now - start)
  }
  return Int(times.sorted()[runs / 2] / .nanoseconds(1))
}

func query(_ half: Int64, aggregate: Bool) -> TurbulenceQuery {
  TurbulenceQuery(area: .polygon(rectangle(half).compactMap { $0?.coordinate }), aggregate: aggregate)
}

@MainActor func ask(_ query: TurbulenceQuery) throws(StoreError) -> [TurbulenceItem] {
  try reader.read { (store) throws(StoreError) in try store.turbulence(with: query, at: date) }
}

let reader = ProjectionReader(path: database)
let date = Date(timeIntervalSince1970: Double(token))
// The rectangle with about 2,000 hexagons.
var (low, high) = (FixedCoordinate.degree / 10, 10 * FixedCoordinate.degree)
while high - low > 1000 {
  let middle = (low + high) / 2
  let count = try ask(query(middle, aggregate: true)).count
  if count < 2000 { low = middle } else { high = middle }
}
let corners = rectangle(high)
let (hexagonQuery, reportQuery) = (query(high, aggregate: true), query(high, aggregate: false))

var found: [TurbulenceItem] = []
var all = 0
let (hexagons, inArea) = try reader.read { (store) throws(StoreError) in
  (
    try median(101) { () throws(StoreError) in found = try store.turbulence(with: hexagonQuery, at: date) },
    try median(101) { () throws(StoreError) in all = try store.turbulence(with: reportQuery, at: date).count }
  )
}

var summary = 0
let openStore = try median(21) {
  let store = try ProjectionStore(path: database)
  guard try store.position() == position else { throw Usage() }
  summary = try store.summaries().reduce(0) { $0 + $1.reportCount }
  try store.close()
}
let openAndAsk = try median(21) { found = try ask(hexagonQuery) }
// The first data after a launch: from nothing to every shown report.
var launched = 0
let launch = try median(21) { launched = try ask(TurbulenceQuery(aggregate: false)).count }
var restored = State()
let openLog = try median(21) {
  restored = State()
  let reader = try LogReader(path: log)
  while let line = try reader.next() {
    guard let kind = Kind(line.kind) else { throw Usage() }
    restored.evolve(Record(seq: line.seq, at: line.at, event: try Event(kind: kind, payload: line.payload)))
  }
}
guard summary == reports.count, launched == reports.count,
  restored.scope(.corridor)?.reports.count == reports.count
else {
  print("StoreBench: some reports are missing in the result")
  throw Usage()
}

// MARK: Files for the peers

var csv = "cell,latitude,longitude,altitude,severity,edr,observedAt\n"
for report in reports {
  guard let center = H3Cell(packed22: report.cell)?.center, let fixed = FixedCoordinate(center) else { continue }
  csv +=
    "\(report.cell),\(fixed.latitudeE7),\(fixed.longitudeE7),\(report.altitude),\(report.severityCode),\(report.edrE4),"
    + "\(report.observedAt)\n"
}
try csv.write(toFile: folder + "/reports.csv", atomically: true, encoding: .utf8)
let ends = corners.compactMap { $0 }
try "\(ends[2].latitudeE7) \(ends[0].latitudeE7) \(ends[0].longitudeE7) \(ends[1].longitudeE7)\n"
  .write(toFile: folder + "/query.txt", atomically: true, encoding: .utf8)

func size(_ path: String) -> Int {
  (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
}
print(
  """
  {"held":\(reports.count),"hexagons":\(found.count),"reports":\(all),"hexagonsNS":\(hexagons),"reportsNS":\(inArea),\
  "openStoreNS":\(openStore),"openAndAskNS":\(openAndAsk),"openLogNS":\(openLog),"launchNS":\(launch),"storeBytes":\(size(database)),\
  "logBytes":\(size(log))}
  """)
