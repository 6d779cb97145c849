import ContrailLog
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailWorld

/// How faults are named, and when they are due.
@Suite struct FaultScheduleTests {
  @Test func listsAreRead() throws {
    #expect(
      try Fault.list("latency=250, status=503,retry-after=30") == [
        .latency(milliseconds: 250), .status(503, retryAfterSeconds: 30),
      ])
    #expect(
      try Fault.list("drop,gone,truncate,truncate=chunked,truncate=body,garble,html") == [
        .drop, .gone, .truncate(.length), .truncate(.chunked), .truncate(.body), .garble, .html,
      ])
    #expect(
      try Fault.list("checksum,count,loses=3,stale=60,ahead=60,follows,unauthorized,badrequest") == [
        .checksum, .count, .loses(3), .stale(seconds: 60), .ahead(seconds: 60), .follows, .unauthorized, .badRequest,
      ])
    #expect(try Fault.list("") == [])
  }

  @Test(arguments: [
    "drops", "latency", "latency=-1", "latency=x", "status=200", "retry-after=3", "loses=0", "truncate=half",
    "drop=1",
    "99",
  ]) func whatIsNoFaultIsRefused(text: String) {
    #expect(throws: InputError.self) { try Fault.list(text) }
  }

  @Test func schedulesAreReadAndKept() throws {
    let outage = try FaultSchedule("503 for 10m from 5m")
    #expect(outage.faults == [.status(503, retryAfterSeconds: nil)])
    #expect([0, 299, 300, 899, 900].map(outage.isOn) == [false, false, true, true, false])
    let forever = try FaultSchedule("latency=2000 from 1h")
    #expect([3599, 3600, 360_000].map(forever.isOn) == [false, true, true])
    let repeated = try FaultSchedule("status=500, retry-after=5 for 30s every 10m")
    #expect([0, 29, 30, 599, 600, 629, 630].map(repeated.isOn) == [true, true, false, false, true, true, false])
  }

  @Test(arguments: [
    "", "for 10m", "503 for", "503 for ten", "503 for 1m for 2m", "503 for 10m every 5m", "503 for 10m every 10m",
    "503 for 1m drop", "503 every 0", "503 for 1.5s", "503 for 365d", "503 for 31536001", "503 from -1",
  ])
  func whatIsNoScheduleIsRefused(text: String) {
    #expect(throws: InputError.self) { try FaultSchedule(text) }
  }

  @Test func aTimeIsWholeSecondsOfAYearAtMost() {
    let texts = [
      "0", "90", "90s", "1h10m", "01:10:00", "31536000", "-1", "31536001", "1.5s", "8760h", "8761h", "ten", "",
    ]
    #expect(
      texts.map(FaultSchedule.seconds) == [
        0, 90, 90, 4200, 4200, 31_536_000, nil, nil, nil, 31_536_000, nil, nil, nil,
      ])
  }

  @Test func aScheduleWithoutALengthHasNoEnd() throws {
    let schedule = try FaultSchedule("drop, garble from 10s every 20s")
    #expect(schedule.faults == [.drop, .garble])
    #expect([9, 10, 29, 30, 1000].map(schedule.isOn) == [false, true, true, true, true])
    #expect(try FaultSchedule("drop every 1").periodSeconds == 1)
  }

  @Test func schedulesBeginWithTheFirstRequestOrWhenTheyAreAdded() throws {
    let source = FaultSource(schedules: [try FaultSchedule("503 for 10s from 5s")], rate: 0, seed: 1)
    let unavailable = [Fault.status(503, retryAfterSeconds: nil)]
    #expect([100, 104, 105, 114, 115].map { source.next(now: $0) } == [[], [], unavailable, unavailable, []])
    source.add(try FaultSchedule("drop for 10s"), now: 200)
    #expect([199, 200, 209, 210].map { source.next(now: $0) } == [[], [.drop], [.drop], []])
    source.add(try FaultSchedule("garble"), now: 205)
    #expect(source.next(now: 206) == [.drop, .garble])
    source.clear()
    #expect(source.next(now: 206) == [])
  }

  @Test func aFaultByChanceFollowsThoseOfTheSchedules() throws {
    let source = FaultSource(schedules: [try FaultSchedule("garble")], rate: 1, seed: 1)
    var chances: Set<Fault> = []
    for second in 0..<400 {
      let faults = source.next(now: Int64(second))
      #expect(faults.count == 2 && faults[0] == .garble)
      chances.insert(faults[1])
    }
    #expect(
      chances == [
        .drop, .status(500, retryAfterSeconds: nil), .status(503, retryAfterSeconds: 10), .truncate(.length),
        .truncate(.chunked), .garble, .html, .latency(milliseconds: 1500),
      ])
  }

  @Test func chanceIsDrawnFromTheSeedAtTheRateAskedFor() {
    let source = FaultSource(schedules: [], rate: 0.1, seed: 4)
    let again = FaultSource(schedules: [], rate: 0.1, seed: 4)
    var faulty = 0
    for request in 0..<1000 {
      let faults = source.next(now: Samples.noon)
      #expect(again.next(now: Samples.noon + Int64(request)) == faults)
      faulty += faults.isEmpty ? 0 : 1
    }
    #expect((60...140).contains(faulty))
  }
}
