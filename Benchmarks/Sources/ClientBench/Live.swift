import ContrailCore
import ContrailGeodesy
import ContrailQuery
import ContrailWire
import Foundation

/// A state that folds the answers of a world, without a client: what a live query costs after an answer, and nothing else.
struct FoldedWorld {
  private(set) var state = State()
  private var world: World
  private var now: Int64

  /// The server's time, in seconds since 1970.
  var second: Int64 { world.token }

  init(reports: Int) {
    now = 1_740_000_000_000
    world = World(count: reports, token: now / 1000)
    var query = ResolvedQuery()
    query.polygon = World.area.map { FixedCoordinate($0) }
    for input: Input in [
      .sessionStarted(.init(engine: "1.0.0", id: "bench", seed: 1)), .connectivityChanged(isOnline: true),
      .frequencyChanged(.none), .queryChanged(query),
    ] { fold(input) }
    answer(world.full)
  }

  /// The answer to the next delta, for the peers; the state has it, too.
  mutating func next(after seconds: Int64) -> [UInt8] {
    let bytes = world.delta(after: seconds)
    now += seconds * 1000
    fold(.refreshRequested(full: false))
    answer(bytes)
    return bytes
  }

  var full: [UInt8] { world.full }

  private mutating func answer(_ bytes: [UInt8]) {
    guard let request = state.scope(.corridor)?.inFlight?.request else { fatalError("no request is in flight") }
    fold(
      .responseReceived(
        .init(request: request, status: 200, wireBytes: 0, serverTimeMS: world.token * 1000, body: .inline(bytes))))
    guard state.scope(.corridor)?.have?.watermark == world.token else { fatalError("the answer isn't applied") }
  }

  private mutating func fold(_ input: Input) {
    state.evolve(Record(seq: state.nextSeq, at: now, event: .input(input)))
    for decision in state.decide() {
      state.evolve(Record(seq: state.nextSeq, at: now, event: .decision(decision)))
    }
  }
}

/// Brings a hundred live queries up to date after each of many answers, as the client's readers do, one after the other on one thread;
/// the peers evaluate each query again and compare the result with the one before.
func observe(_ lanes: inout [String: Lane], reports: Int, _ folder: String) throws {
  var world = FoldedWorld(reports: reports)
  var results = try Questions.observed.map {
    try LiveTurbulence(TurbulenceQuery(area: .polygon(Questions.ring($0))))
  }
  var index = ReportIndex(of: world.state)
  var counts = [Int](repeating: 0, count: results.count)

  func update() -> Duration {
    let (state, second) = (world.state, world.second)
    return ContinuousClock().measure {
      index.update(to: state)
      for place in results.indices {
        let change = results[place].update(to: state, asOf: second, own: []) { index }
        if let change { counts[place] = change.count }
      }
    }
  }

  let peers: [(name: String, peer: any Peer)] = [
    ("tree", try TreePeer(folder + "/live.sqlite")), ("array", ArrayPeer()),
  ]
  var known: [String: [[UInt32: UInt64]]] = [:]
  for (name, peer) in peers {
    try peer.take(world.full)
    known[name] = try Questions.observed.map { try peer.hexagons(in: $0) }
  }
  _ = update()
  for number in 0..<10_000 {
    let answer = world.next(after: 10)
    lanes["client"]?.live.append(update())
    if number % 1000 == 0 { FileHandle.standardError.write(Data("live queries: \(number) of 10000 answers\n".utf8)) }
    // The peers take their time.
    guard number < 21 else { continue }
    for (name, peer) in peers {
      try peer.take(answer)
      var changes = 0
      let time = try ContinuousClock().measure {
        for (place, box) in Questions.observed.enumerated() {
          let found = try peer.hexagons(in: box)
          let before = known[name]?[place] ?? [:]
          changes += found.count { before[$0.key] != $0.value } + before.keys.count { found[$0] == nil }
          known[name]?[place] = found
        }
      }
      guard changes > 0 else { fatalError("nothing has changed") }
      lanes[name]?.live.append(time)
    }
    guard number == 20 else { continue }
    lanes["client"]?.observed = counts.reduce(0, +)
    for (name, _) in peers { lanes[name]?.observed = known[name]?.reduce(0) { $0 + $1.count } ?? 0 }
  }
}
