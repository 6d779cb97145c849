import ContrailCore
import ContrailGeodesy
import ContrailH3
import ContrailQuery
import ContrailTestSupport
import ContrailWire
import Foundation
import GRDB
import Testing

@testable import ContrailStore

/// The views say what the reader says, and the documented examples run.
@Suite struct SchemaTests {
  /// A store with something in each view.
  private static func filled() throws -> (Scratch, State) {
    let scratch = try Scratch()
    var rig = Rig.flying {
      $0.types = [.turbulence, .pireps, .traffic, .turbulencePolygons]
      $0.weather.places = [Rig.place]
    }
    rig.answer(.global(.twoHours))
    rig.answer(.weather(Rig.place))
    let (reports, second) = (try #require(rig.state.scope(.corridor)?.reports.sorted), rig.now / 1000)
    let place = FixedCoordinate(latitudeE7: 455_000_000, longitudeE7: -350_000_000)
    rig.now += 60_000
    rig.send(.refreshRequested(full: true))
    rig.answer {
      $0.reports = reports
      $0.hold([
        PIREP(
          id: "p1", position: place, flightLevel: 350, severity: .moderate, isUrgent: true, observedAt: second,
          updatedAt: second, text: "UUA /OV N45W035 /TB MOD \u{2014} \"rough\""),
        PIREP(
          id: "p2", position: place, flightLevel: nil, severity: nil, isUrgent: false, observedAt: second - 7100,
          updatedAt: second, text: "UA"),
      ])
      $0.traffic = [
        TrafficPosition(
          id: "4ca123", callsign: "EIN1", position: place, altitudeFeet: 36_000, groundSpeedKnots: 480,
          trackDegrees: 270, observedAt: second)
      ]
    }
    let store = try scratch.store()
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    try store.close()
    return (scratch, rig.state)
  }

  /// On any flight: the rows of the views that haven't expired are what the reader finds.
  @Test func viewsShowWhatTheReaderShows() throws {
    var compared = 0
    for seed in UInt64(21)...24 {
      let scratch = try Scratch()
      let store = try scratch.store()
      var inFlight = RandomFlight(seed: seed)
      for _ in 0..<40 {
        let previous = inFlight.rig.state
        _ = inFlight.step()
        try store.follow(from: previous, to: inFlight.rig.state)
        for later in [Int64(0), 3600] {
          let second = inFlight.rig.state.serverNow / 1000 + later
          let date = Date(timeIntervalSince1970: Double(inFlight.rig.state.now + later * 1000) / 1000)
          let (reports, pireps, traffic, times) = try scratch.reader.read { (store) throws(StoreError) in
            var times: [Int64] = []
            for time in DataHistoryTime.allCases
            where try store.turbulencePolygons(with: .init(dataHistoryTime: time), at: date) != nil {
              times.append(time.seconds)
            }
            return (
              try store.turbulence(with: TurbulenceQuery(aggregate: false), at: date).map(\.report),
              try store.pireps(with: PIREPQuery(), at: date), try store.traffic(with: TrafficQuery(), at: date), times
            )
          }
          compared += reports.count + pireps.count + traffic.count + times.count
          try store.pool.read { db in
            let shown = "shown_until > \(second)"
            let rows = try Row.fetchAll(
              db,
              sql: """
                SELECT cell_h3, latitude, longitude, altitude_feet, severity, severity_name, edr, observed_at
                FROM turbulence WHERE \(shown) ORDER BY cell_h3, altitude_feet, severity, edr, observed_at
                """)
            #expect(rows.count == reports.count)
            for (row, report) in zip(rows, reports) {
              let centre = try #require(H3Cell(packed22: report.cell)?.center)
              #expect(row[0] == String(report.h3Index, radix: 16))
              #expect(abs(row[1] - centre.latitude) < 1e-6 && abs(row[2] - centre.longitude) < 1e-6)
              #expect(row[3] == Int(report.altitude) * 1000 && row[4] == Int(report.severityCode))
              #expect(row[5] == "\(report.severity)" && row[6] == Double(report.edrE4) / 10_000)
              #expect(row[7] == Int64(report.observedAt))
            }
            func texts(_ sql: String) throws -> [String] { try String.fetchAll(db, sql: sql) }
            #expect(
              try texts("SELECT id FROM pireps WHERE \(shown) ORDER BY observed_at, id") == pireps.map(\.id))
            #expect(try texts("SELECT text FROM pireps WHERE \(shown) ORDER BY observed_at, id") == pireps.map(\.text))
            #expect(try texts("SELECT DISTINCT id FROM traffic WHERE \(shown) ORDER BY id") == traffic.map(\.id))
            #expect(
              try Int64.fetchAll(
                db, sql: "SELECT history_seconds FROM turbulence_polygons WHERE \(shown) ORDER BY history_seconds")
                == times)
          }
        }
      }
    }
    #expect(compared > 2000)
  }

  @Test func scopesAndMomentTellHowFreshAndHowMuch() throws {
    let (scratch, state) = try Self.filled()
    let corridor = try #require(state.scope(.corridor))
    let queue = try DatabaseQueue(path: scratch.path)
    try queue.read { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM scopes WHERE scope = 'corridor'"))
      #expect(row["as_of"] == corridor.have?.watermark && row["last_success_ms"] == corridor.lastSuccessAt)
      #expect(row["report_count"] == corridor.reports.count && row["pirep_count"] == 2 && row["traffic_count"] == 1)
      #expect(row["digest"] == Int64(bitPattern: corridor.digest) && row["is_wanted"] == 1)
      #expect(row["wanted_history_seconds"] == 7200 && row["wanted_lowest_feet"] == 0)
      #expect(row["wanted_highest_feet"] == 52_000)
      let moment = try #require(try Row.fetchOne(db, sql: "SELECT seq, server_offset_ms FROM moment"))
      #expect(moment[0] == state.nextSeq - 1 && moment[1] == state.serverOffsetMS)
      let weather = try #require(try Row.fetchOne(db, sql: "SELECT latitude, longitude, json FROM weather"))
      let place: (Double, Double) = (weather[0], weather[1])
      #expect(place == (51.47, -0.45))
      #expect(Array((weather[2] as String).utf8) == state.scope(.weather(Rig.place))?.weather)
    }
  }

  // MARK: The documented examples

  /// The code blocks of a language on the page.
  private static func examples(_ language: String) throws -> [String] {
    let page = "Sources/Client/ContrailStore/ContrailStore.docc/Schema.md"
    let parts = try PackageFolder.text(of: page).components(separatedBy: "```")
    return parts.filter { $0.hasPrefix(language + "\n") }.map { String($0.dropFirst(language.count + 1)) }
  }

  @Test func theSQLExamplesFindRows() throws {
    let (scratch, _) = try Self.filled()
    let queue = try DatabaseQueue(path: scratch.path)
    let examples = try Self.examples("sql")
    #expect(examples.count == 5)
    for example in examples {
      try queue.inDatabase { db in
        var rows = 0
        let statements = try db.allStatements(sql: example)
        while let statement = try statements.next() { rows += try Row.fetchAll(statement).count }
        // The server of the test has no features, and the reports are of another year.
        let isEmpty = example.contains("json_each") || example.contains("'now'")
        #expect(rows > 0 || isEmpty, "finds nothing:\n\(example)")
      }
    }
  }

  #if os(Linux) || os(macOS)
    private static func run(_ program: String, _ arguments: [String], in folder: String) throws -> (String, Int32) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [program] + arguments
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    }

    private static let hasSQLite = (try? run("sqlite3", ["--version"], in: "/"))?.1 == 0
    private static let hasDuckDB =
      (try? run("python3", ["-c", "import duckdb; duckdb.connect().load_extension('sqlite')"], in: "/"))?.1 == 0

    @Test(.enabled(if: hasSQLite, "sqlite3 isn't installed")) func theSQLExamplesRunInTheCommandLine() throws {
      let (scratch, state) = try Self.filled()
      for example in try Self.examples("sql") {
        let (output, status) = try Self.run("sqlite3", ["-readonly", scratch.path, example], in: scratch.folder)
        #expect(status == 0, "\(example)\n\(output)")
      }
      let (output, _) = try Self.run(
        "sqlite3", ["-readonly", scratch.path, "SELECT count(*) FROM turbulence"], in: scratch.folder)
      #expect(output == "\(state.scope(.corridor)?.reports.count ?? 0)\n")
    }

    @Test(.enabled(if: hasDuckDB, "DuckDB with its sqlite extension isn't installed"))
    func theDuckDBExamplesRun() throws {
      let (scratch, _) = try Self.filled()
      let examples = try Self.examples("duckdb")
      #expect(examples.count == 4)
      let script = "import duckdb, sys\nc = duckdb.connect()\nfor s in sys.argv[1:]: print(c.execute(s).fetchall())"
      let (output, status) = try Self.run("python3", ["-c", script] + examples, in: scratch.folder)
      #expect(status == 0, "\(output)")
      #expect(!output.split(separator: "\n").dropFirst().contains("[]"), "\(output)")
    }
  #endif
}
