import ContrailCore
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Testing

@testable import replay

@Suite struct ExportFormatTests {
  private static func turns(_ name: String) throws -> (turns: [FlightTurns.Turn], state: State) {
    var reader = try FlightTurns(path: "\(PackageFolder.recordings)/\(name).jsonl")
    var turns: [FlightTurns.Turn] = []
    while let turn = try reader.next() { turns.append(turn) }
    return (turns, reader.state)
  }

  private static func slices(_ name: String) throws -> [FlightEvent.Slice] {
    try turns(name).turns.flatMap(\.events).compactMap { event in
      if case .ended(let slice) = event.content { slice } else { nil }
    }
  }

  @Test func fieldsAreWrittenAsProtocolBuffersDefines() {
    var message = ProtobufWriter()
    message.varint(1, 150)
    message.int64(2, -1)
    message.fixed64(3, 0x0102)
    message.message(20) { $0.string(2, "testing") }
    let expected: [UInt8] =
      [0x08, 0x96, 0x01, 0x10] + [UInt8](repeating: 0xFF, count: 9) + [0x01, 0x19, 2, 1, 0, 0, 0, 0, 0, 0]
      + [0xA2, 0x01, 9, 0x12, 7] + Array("testing".utf8)
    #expect(message.bytes == expected)
  }

  @Test func eachSliceBeginsAndEnds() throws {
    for name in ["relaunch-in-flight", "server-outage", "own-reports", "listening-storm", "pan-rests"] {
      let events = try Self.turns(name).turns.flatMap(\.events)
      var open: Set<FlightEvent.Lane> = []
      var last = Int64.min
      for event in events {
        #expect(event.at >= last, "\(name)")
        last = event.at
        switch event.content {
        case .began(let slice): #expect(open.insert(slice.lane).inserted, "\(name) \(slice.name)")
        case .ended(let slice):
          #expect(open.remove(slice.lane) != nil, "\(name) \(slice.name)")
          #expect((slice.outcome?.endMS ?? 0) >= slice.startMS, "\(name)")
        default: break
        }
      }
      #expect(open.isEmpty, "\(name)")
    }
  }

  @Test func aRequestInFlightAtALaunchEndsThere() throws {
    let slices = try Self.slices("relaunch-in-flight")
    #expect(slices.contains { $0.request != nil && $0.outcome?.word == "relaunched" })
    #expect(slices.count { $0.lane == .sessions } > 1)
  }

  @Test func theLinkHasTheOutagesOfTheFlight() throws {
    let offline = try Self.slices("offline-past-expiry").filter { $0.lane == .link && $0.name == "offline" }
    #expect(offline.contains { ($0.outcome?.endMS ?? 0) - $0.startMS == 90 * 60_000 })
  }

  @Test func heldRequestsSayForHowLong() throws {
    #expect(try Self.slices("listening-storm").contains { $0.holdSeconds ?? 0 > 0 })
  }

  @Test func agesAreToldWhileNothingHappens() throws {
    let ages = try Self.turns("offline-past-expiry").turns.flatMap(\.events).compactMap { event -> Int64? in
      if case .counted(.age(.corridor), let age) = event.content { age } else { nil }
    }
    #expect((ages.max() ?? 0) >= 85 * 60)
    #expect(zip(ages, ages.dropFirst()).allSatisfy { $1 - $0 <= 130 })
  }

  @Test func timesBeyondTheRangeOfNanosecondsAreClamped() {
    #expect(FlightEvent.nanoseconds(253_402_300_800_000) == UInt64(Int64.max))
    #expect(FlightEvent.nanoseconds(-1) == 0)
    #expect(FlightEvent.nanoseconds(1_740_000_000_123) == 1_740_000_000_123_000_000)
  }

  @Test func fieldsWithSeparatorsAreQuoted() {
    var row = CSVWriter()
    row.field("a,b")
    row.field("say \"so\"\n")
    row.field(String?.none)
    row.field(-7)
    row.decimal(379, digits: 4)
    row.endRow()
    #expect(String(decoding: row.bytes, as: UTF8.self) == "\"a,b\",\"say \"\"so\"\"\n\",,-7,0.0379\n")
  }

  @Test(arguments: FlightTables.Table.allCases) func rowsHaveAsManyFieldsAsTheHeader(table: FlightTables.Table) throws {
    for name in ["own-reports", "antimeridian", "repaired", "relaunch-in-flight"] {
      let (turns, state) = try Self.turns(name)
      var tables = FlightTables()
      for turn in turns { tables.add(turn, state) }
      let text = String(decoding: tables.take(table), as: UTF8.self)
      for line in text.split(separator: "\n") where !line.contains("\"") {
        #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == table.columns.count, "\(line)")
      }
    }
  }

  @Test func equalRecordingsGiveEqualTracesAndSpans() throws {
    func exported() throws -> [UInt8] {
      var trace = PerfettoTrace(title: "a")
      var spans = OpenTelemetrySpans(title: "a")
      for turn in try Self.turns("atlantic").turns {
        trace.add(turn.events)
        spans.add(turn.events)
      }
      spans.finish()
      return trace.take() + spans.take()
    }
    let first = try exported()
    #expect(try exported() == first)
    #expect(first.count > 10_000)
  }

  @Test func aMapSaysWhichRecordsAreShown() throws {
    let path = "\(PackageFolder.recordings)/offline-past-expiry.jsonl"
    func map(_ time: String) throws -> String {
      String(decoding: FlightMap(try Inspection(path: path, at: try TimelinePosition(time))).geoJSON, as: UTF8.self)
    }
    let fresh = try map("t+00:40:00")
    #expect(fresh.contains(#""kind":"report","scopes":["corridor"],"shown":true"#))
    #expect(fresh.contains(#""kind":"route""#) && fresh.contains(#""kind":"area""#))
    // An hour later, all of it is older than the history of an hour.
    let expired = try map("t+02:10:00")
    #expect(!expired.contains(#""shown":true"#))
  }
}
