import ContrailTestSupport
import ContrailWhatIfTruth
import ContrailWorld
import Foundation

/// Flights of real tracks through recorded days.
enum RealDays {
  /// The days that there are: all kinds of files, in the formats of several feeds.
  private static let days: [(pireps: String, states: String, sigmets: String)] = [
    ("awc-pireps-2026-05-30.json", "opensky-states-2021-10-17T1149Z.json.xz", "awc-gairmet-2026-05-30.json"),
    ("hawaii-polls-early.jsonl.xz", "switzerland-2018-08-01-morning.csv.xz", "awc-airsigmet-2026-05-30.json"),
    ("awc-pireps-2026-05-30.json", "switzerland-2018-08-01-morning.csv.xz", "usa-sigmets-2025-12-19.jsonl.xz"),
  ]

  /// Flies, prints, and returns the exit status.
  static func fly(
    _ count: Int, from firstSeed: UInt64, of material: HeldOutFlight.Material, until limit: ContinuousClock.Instant?,
    keptIn keptFolder: String?
  ) async throws -> Int32 {
    guard let data = SharedData.folder else {
      print("--days needs the recorded days of CONTRAIL_DATA")
      return 64
    }
    var drawn = material
    let folder = try TemporaryDirectory()
    drawn.realDays = try days.map { day in
      var states = "\(data)/traffic/\(day.states)"
      if day.states.contains(".csv") { states = try StatesOfCSV.write(states, to: folder.path) }
      return try RecordedDay(
        pireps: ["\(data)/pireps/\(day.pireps)"], states: [states], sigmets: ["\(data)/sigmet/\(day.sigmets)"])
    }
    let material = drawn
    let start = ContinuousClock.now
    var total = RealDayCheck()
    await withTaskGroup(of: RealDayCheck.self) { group in
      var next = 0
      func begin() {
        guard next < count, limit.map({ .now < $0 }) ?? true else { return }
        var material = material
        // Each second flight flies a track from its first position to its last one, with all of its gaps and false positions.
        if next % 2 == 0, !material.tracks.isEmpty { material.wholeTrack = next / 2 % material.tracks.count }
        let (seed, ready) = (firstSeed + UInt64(next), material)
        next += 1
        group.addTask { await RealDayCheck(seed: seed, of: ready, keptIn: keptFolder) }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { begin() }
      for await check in group {
        for fault in check.faults { print(fault) }
        total.add(check)
        begin()
      }
    }
    let seconds = (ContinuousClock.now - start).components.seconds
    for (track, flights) in total.tracks.sorted(by: { $0.key < $1.key }) { print("  \(track) \(flights)") }
    print(
      "\(total.flights) flights of \(total.simulatedMS / 3_600_000) h in \(seconds) s, \(total.lines) lines, "
        + "\(total.faults.count) faults")
    return total.faults.isEmpty ? 0 : 1
  }
}
