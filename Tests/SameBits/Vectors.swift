import ContrailCore
import ContrailLog
import ContrailWire

// The vector instructions of a processor on which the tests can't run, compared with the plain way, and work whose
// instructions are counted.

/// SplitMix64, as the tests have it.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

private let baseTime: UInt32 = 1_740_000_000

/// Returns reports with EDRs of usual and of unusual lengths, or with usual ones only.
private func reports(
  _ count: Int, seconds: UInt32, isUsual: Bool = false, _ random: inout Random
) -> [TurbulenceReport] {
  (0..<count).map { _ in
    // Seven digits of a cell, none of them 7, in one of the 110 base cells that aren't pentagons: here some of them.
    var cell: UInt32 = [0, 1, 2, 3, 5, 20, 60, 121].randomElement(using: &random) ?? 0
    for _ in 0..<5 { cell = cell << 3 | UInt32.random(in: 0..<7, using: &random) }
    let usual = UInt16.random(in: 1...5999, using: &random)
    let edr: [UInt16] = isUsual ? [usual] : [0, 10_000, 65_535, 10, 500, 4000, usual]
    return TurbulenceReport(
      cell: cell, altitude: UInt8.random(in: 0...52, using: &random), severity: UInt8.random(in: 0...4, using: &random),
      edrE4: edr.randomElement(using: &random) ?? 0,
      observedAt: baseTime + UInt32.random(in: 0...seconds, using: &random))
  }
}

private func answer(_ reports: [TurbulenceReport]) -> [UInt8] {
  var answer = ObservationsAnswer(token: Int64(baseTime) + 100_000)
  answer.reports = reports
  return answer.json
}

private func read(_ bytes: [UInt8], usesVectors: Bool) -> ObservationsAnswer? {
  bytes.withUnsafeBytes { ObservationsAnswer(canonical: $0, usesVectors: usesVectors) }
}

/// Compares both ways on an answer and on sets of reports, all made from a seed. Returns 0 if there is a difference, 2 if
/// the answer is canonical, otherwise 1.
@_cdecl("contrail_compare")
public func compare(_ seed: UInt64) -> Int {
  var random = Random(state: seed)
  let count = Int.random(in: 0...40, using: &random)
  var bytes = answer(reports(count, seconds: 9000, &random))
  let interesting = Array("0123456789abcdefgAF.,:\"{}[]-+eE \\/_".utf8) + [0, 0x0A, 0x7F, 0x80, 0xB0, 0xFF]
  for _ in 0..<Int.random(in: 0...2, using: &random) {
    let place = Int.random(in: bytes.indices, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.remove(at: place)
    case 1: bytes.insert(interesting.randomElement(using: &random) ?? 0, at: place)
    case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default: bytes[place] = interesting.randomElement(using: &random) ?? 0
    }
  }
  let plain = read(bytes, usesVectors: false)
  guard plain == read(bytes, usesVectors: true) else { return 0 }

  var sets = [ReportSet(), ReportSet()]
  var spec = FetchSpec(area: .world, types: .turbulence, history: .twoHours)
  spec.severities = SeveritySet(rawValue: UInt8.random(in: 0...31, using: &random))
  let filter = spec.filter(asOf: Int64(baseTime) + Int64.random(in: 0...7200, using: &random))
  for _ in 0..<4 {
    var run = reports(Int.random(in: 0...500, using: &random), seconds: 700, &random)
    if Bool.random(using: &random) { run.sort { $0.observedAt < $1.observedAt } }
    let second = Int64(baseTime) + Int64.random(in: 0...300, using: &random)
    for index in sets.indices {
      sets[index].insert(run, admittedBy: filter, usesVectors: index == 0)
      sets[index].removeAll(observedUpTo: second, usesVectors: index == 0)
    }
    guard sets[0].count == sets[1].count, sets[0].checksum == sets[1].checksum else { return 0 }
    guard run.allSatisfy({ sets[0].contains($0) == sets[1].contains($0) }) else { return 0 }
  }
  return plain == nil ? 1 : 2
}

/// Does a part of the work on a thousand reports, `rounds` times: 1 decodes them, 2 inserts them where half are held,
/// and 3 removes half of them. 0 does nothing.
@_cdecl("contrail_work")
public func work(_ part: Int, _ rounds: Int, _ usesVectors: Bool) -> Int {
  var random = Random(state: 1)
  let some = reports(1000, seconds: 63, isUsual: true, &random)
  let bytes = answer(some)
  let spec = FetchSpec(area: .world, types: .turbulence, history: .twoHours)
  let filter = spec.filter(asOf: Int64(baseTime) + 100)
  var (half, full) = (ReportSet(), ReportSet())
  half.insert(Array(some[..<500]), admittedBy: filter)
  full.insert(some, admittedBy: filter)
  var result = 0
  for _ in 0..<rounds {
    switch part {
    case 1: result += read(bytes, usesVectors: usesVectors)?.reports.count ?? 0
    case 2:
      var set = half
      set.insert(some, admittedBy: filter, usesVectors: usesVectors)
      result += set.count
    case 3:
      var set = full
      set.removeAll(observedUpTo: Int64(baseTime) + 31, usesVectors: usesVectors)
      result += set.count
    default: break
    }
  }
  return result
}
