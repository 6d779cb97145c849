// Measures a client that holds many reports, as an application uses it, beside SQLite's R*Tree through GRDB, and beside a plain
// array: an answer of 200 reports from its bytes to the delegate, queries, and a launch up to the first data.
//
//   ClientBench FOLDER [REPORTS]      default: 100,000 reports
//   ClientBench launch client|tree FOLDER
//
// The second form launches once, as the first does in processes of their own. Prints a line of JSON each with medians in nanoseconds.

import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailHTTP
import ContrailQuery
import ContrailWire
import Foundation

struct Usage: Error {}

/// The transport to a server in the same process, which answers with prepared bytes.
final class PreparedTransport: ClosableTransport {
  private let answers = Lock([(body: [UInt8], second: Int64)]())
  private let sent = Lock(ContinuousClock.now)

  /// When the last answer was received.
  var receivedAt: ContinuousClock.Instant { sent.withLock { $0 } }

  func prepare(_ answer: [UInt8], at second: Int64) { answers.withLock { $0.append((answer, second)) } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    guard let (body, second) = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      throw TransportError(.network, "There is no answer to \(request.target.prefix(60)).")
    }
    let headers = [("Content-Type", "application/json"), (WireHeader.serverTime, "\(second * 1000)")]
    let answer = TransportAnswer(status: 200, headers: headers, body: body)
    sent.withLock { $0 = ContinuousClock.now }
    return answer
  }

  func shutdown() async {}
}

/// The system's clock, which can be set forward.
final class SkippingClock: EngineClock {
  private let system = SystemClock()
  private let skipped = Lock(Int64(0))

  var now: Int64 { system.now + skipped.withLock { $0 } }
  func skip(_ milliseconds: Int64) { skipped.withLock { $0 += milliseconds } }
  func sleep(until milliseconds: Int64) async throws {
    try await Task.sleep(for: .milliseconds(max(0, milliseconds - now)))
  }
}

/// A delegate that resumes whoever waits.
@MainActor final class Listener: ContrailClientDelegate {
  private var waiting: CheckedContinuation<ContinuousClock.Instant, Never>?
  private var isRestored = false

  func data() async -> ContinuousClock.Instant { await withCheckedContinuation { waiting = $0 } }

  func restored() async { if !isRestored { _ = await data() } }

  private func tell() {
    waiting?.resume(returning: .now)
    waiting = nil
  }

  func didReceiveNewTurbulenceData(areaType: AreaType) { tell() }
  func didConfirmData(of scope: ScopeID) { fatalError("an answer had no reports") }
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?) { fatalError("\(error)") }
  func didRestoreData(of scope: ScopeID) {
    isRestored = true
    tell()
  }
}

/// The memory of this process in bytes that is in use; 0 where the system doesn't say so in a file.
func residentBytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
    let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
  else { return 0 }
  return kilobytes << 10
}

/// The time that 99 of 100 don't exceed.
func high(_ times: [Duration]) -> Int { Int(times.sorted()[times.count * 99 / 100] / .nanoseconds(1)) }

func median(_ times: [Duration]) -> Int { Int(times.sorted()[times.count / 2] / .nanoseconds(1)) }

func measure(_ runs: Int, _ body: () throws -> Void) rethrows -> Int {
  var times: [Duration] = []
  for _ in 0..<runs { times.append(try ContinuousClock().measure(body)) }
  return median(times)
}

@MainActor
func makeClient(_ folder: String, _ transport: PreparedTransport, _ clock: SkippingClock) throws -> ContrailClient {
  guard let server = URL(string: "http://localhost") else { throw Usage() }
  var configuration = ContrailClient.Configuration(server: server, directory: URL(filePath: folder))
  configuration.airportDelivery = .manual
  return try ContrailClient(configuration, transport: transport, clock: clock)
}

// MARK: A launch

@MainActor func launchClient(_ folder: String) async throws {
  let before = residentBytes()
  let start = ContinuousClock.now
  let listener = Listener()
  let client = try makeClient(folder + "/client", PreparedTransport(), SkippingClock())
  client.delegate = listener
  await listener.restored()
  let restored = ContinuousClock.now - start
  let count = try client.turbulence(with: TurbulenceQuery(area: .polygon(Questions.boxRing))).count
  let time = ContinuousClock.now - start
  print(
    """
    {"name":"client","hexagons":\(count),"toldNS":\(Int(restored / .nanoseconds(1))),"launchNS":\(Int(time / .nanoseconds(1))),\
    "bytes":\(residentBytes() - before)}
    """)
  await client.stop()
}

func launchTree(_ folder: String) throws {
  let before = residentBytes()
  let start = ContinuousClock.now
  let count = try TreePeer(folder + "/tree.sqlite").hexagonsInBox()
  let time = ContinuousClock.now - start
  print(
    """
    {"name":"tree","hexagons":\(count),"launchNS":\(Int(time / .nanoseconds(1))),"bytes":\(residentBytes() - before)}
    """)
}

// MARK: Answers and queries

struct Lane {
  var answers: [Duration] = []
  /// The first query after each answer.
  var firsts: [Duration] = []
  /// The time in which a hundred live queries are brought up to date, after each answer.
  var live: [Duration] = []
  /// The hexagons of all live queries.
  var observed = 0
  var counts: [Int] = []
  var times: [Int] = []

  mutating func finish(_ times: [Int], _ counts: [Int]) { (self.times, self.counts) = (times, counts) }

  func line(_ name: String) -> String {
    """
    {"name":"\(name)","liveNS":\(median(live)),"liveHighNS":\(high(live)),"liveCount":\(live.count),"observed":\(observed),"answerNS":\(median(answers)),"firstNS":\(median(firsts)),"reportsNS":\(times[0]),"hexagonsNS":\(times[1]),"aheadNS":\(times[2]),"profileNS":\(times[3]),\
    "reports":\(counts[0]),"hexagons":\(counts[1]),"ahead":\(counts[2]),"profile":\(counts[3])}
    """
  }
}

@MainActor func run(_ folder: String, reports: Int) async throws {
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let clock = SkippingClock()
  var world = World(count: reports, token: clock.now / 1000)
  let tree = try TreePeer(folder + "/tree.sqlite")
  let peers: [(name: String, peer: any Peer)] = [("tree", tree), ("array", ArrayPeer())]
  var lanes: [String: Lane] = ["client": Lane(), "tree": Lane(), "array": Lane()]

  let transport = PreparedTransport()
  let listener = Listener()
  let client = try makeClient(folder + "/client", transport, clock)
  client.delegate = listener
  try await client.opened()
  transport.prepare(world.full, at: world.token)
  for (_, peer) in peers { try peer.take(world.full) }
  client.dataUpdateFrequency = .none
  client.dataQuery.polygon = World.area
  _ = await listener.data()

  // Answers, in turn, each with the query that a map asks then.
  let area = QueryArea.polygon(Questions.boxRing)
  for _ in 0..<101 {
    let seconds: Int64 = 10
    let answer = world.delta(after: seconds)
    clock.skip(seconds * 1000)
    transport.prepare(answer, at: world.token)
    client.fetchData(refresh: false)
    let told = await listener.data()
    lanes["client"]?.answers.append(told - transport.receivedAt)
    lanes["client"]?.firsts.append(try ContinuousClock().measure { _ = try client.turbulence(with: .init(area: area)) })
    for (name, peer) in peers {
      lanes[name]?.answers.append(try ContinuousClock().measure { try peer.take(answer) })
      lanes[name]?.firsts.append(try ContinuousClock().measure { _ = try peer.hexagonsInBox() })
    }
  }

  // Queries.
  var alerts = AlertQuery(route: Questions.route, distanceNM: Questions.aheadNM, widthNM: Questions.widthNM)
  alerts.altRange = Double(Questions.altitudes.lowerBound) * 1000...Double(Questions.altitudes.upperBound) * 1000
  let position = AircraftPosition(coordinate: Questions.position, altitudeFeet: nil)
  var counts = [0, 0, 0, 0]
  let times = [
    try measure(101) { counts[0] = try client.turbulence(with: .init(area: area, aggregate: false)).count },
    try measure(101) { counts[1] = try client.turbulence(with: .init(area: area)).count },
    try measure(101) { counts[2] = try client.alerts(with: alerts, at: position).reduce(0) { $0 + $1.count } },
    try measure(101) {
      counts[3] = try client.profile(along: Questions.longRoute, widthNM: Questions.widthNM).cells.count
    },
  ]
  lanes["client"]?.finish(times, counts)
  for (name, peer) in peers {
    let times = [
      try measure(51) { counts[0] = try peer.reportsInBox() }, try measure(51) { counts[1] = try peer.hexagonsInBox() },
      try measure(51) { counts[2] = try peer.reportsAhead() }, try measure(11) { counts[3] = try peer.profileCells() },
    ]
    lanes[name]?.finish(times, counts)
  }
  await client.stop()
  try observe(&lanes, reports: reports, folder)
  for name in ["client", "tree", "array"] { print(lanes[name]?.line(name) ?? "") }
}

let arguments = CommandLine.arguments
switch (arguments.count, arguments.dropFirst().first) {
case (4, "launch") where arguments[2] == "client": try await launchClient(arguments[3])
case (4, "launch") where arguments[2] == "tree": try launchTree(arguments[3])
case (2...3, .some(let folder)):
  guard let count = Int(arguments.count > 2 ? arguments[2] : "100000"), count > 0 else { throw Usage() }
  try await run(folder, reports: count)
default:
  print("usage: ClientBench FOLDER [REPORTS]")
  throw Usage()
}
