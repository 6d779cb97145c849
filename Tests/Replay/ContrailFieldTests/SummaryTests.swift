import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailField

/// What a summary says of a flight, and what a check ends with.
@Suite struct SummaryTests {
  private func row(_ name: String) throws -> [String: Any] {
    let json = FlightSummary(path: Logs.recording(name)).json(listingCells: true)
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test(arguments: ["atlantic", "antimeridian"]) func aRowSaysWhenAndWhereTheFlightWas(name: String) throws {
    let row = try row(name)
    let start = try #require(row["start"] as? String)
    let day = try #require(row["day"] as? String)
    #expect(day.count == 10 && start.hasPrefix(day + "T"))
    let origin = try #require(row["origin"] as? String)
    #expect(row["destination"] as? String != origin)
    let names = try #require(row["cellNames"] as? [String])
    #expect(row["cells"] as? Int == names.count && !names.isEmpty)
    // In the order of the table.
    #expect(names == FlightCoverage.Cell.all.map(\.name).filter(names.contains))
  }

  @Test func theMiddleOfACorridorIsOnItsSideOfTheAntimeridian() throws {
    let fetches = try #require(try row("antimeridian")["fullFetches"] as? [[String: Any]])
    let longitudes = fetches.compactMap { $0["lon"] as? Int }
    #expect(!longitudes.isEmpty && longitudes.allSatisfy { (130...180).contains(abs($0)) }, "\(longitudes)")
  }

  /// The lines of a recording, each as its JSON object.
  private func lines(_ name: String) throws -> [[String: Any]] {
    try String(contentsOfFile: Logs.recording(name), encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test(arguments: ["atlantic", "server-outage", "own-reports"]) func aRowCountsTheLines(name: String) throws {
    let (row, lines) = (try row(name), try lines(name))
    let kinds = lines.compactMap { $0["kind"] as? String }
    func count(_ kind: String, _ mode: String? = nil) -> Int {
      lines.count { $0["kind"] as? String == kind && (mode == nil || $0["mode"] as? String == mode) }
    }
    let roles = kinds.compactMap { Kind(rawValue: $0)?.role }
    #expect(row["inputs"] as? Int == roles.count { $0 == .input })
    #expect(row["decisions"] as? Int == roles.count { $0 == .decision })
    #expect(row["marks"] as? Int == roles.count { $0 == .mark })
    #expect(row["fulls"] as? Int == count("fetch.started", "full"))
    #expect(row["deltas"] as? Int == count("fetch.started", "delta"))
    #expect(row["uploads"] as? Int == count("upload.started"))
    let times = lines.compactMap { $0["at"] as? Int }
    #expect(row["spanMS"] as? Int == times[times.count - 1] - times[0])

    let fulls = try #require(row["fullFetches"] as? [[String: Any]])
    let started = lines.filter { $0["mode"] as? String == "full" && $0["kind"] as? String == "fetch.started" }
    #expect(fulls.map { $0["offsetMS"] as? Int } == started.map { ($0["at"] as? Int ?? 0) - times[0] })
    #expect(fulls.map { $0["scope"] as? String } == started.map { $0["scope"] as? String })
    #expect(fulls.map { $0["rule"] as? String } == started.map { $0["rule"] as? String })

    let requests = try #require(row["requests"] as? [[String: Any]])
    func sum(_ rows: [[String: Any]], _ key: String) -> Int { rows.reduce(0) { $0 + ($1[key] as? Int ?? 0) } }
    #expect(sum(requests, "requests") == count("fetch.started") + count("upload.started"))
    for mode in ["full", "delta"] {
      #expect(sum(requests.filter { $0["mode"] as? String == mode }, "requests") == count("fetch.started", mode))
    }
    #expect(sum(requests.filter { $0["mode"] as? String == "upload" }, "requests") == count("upload.started"))
    #expect(sum(requests, "answers") == count("response.received"))
    #expect(sum(requests, "failures") == count("response.failed"))

    let summary = FlightSummary(path: Logs.recording(name))
    #expect(
      fulls.map { $0["lat"] as? Int64 } == summary.fulls.map(\.latitude)
        && summary.fulls.contains { $0.latitude != nil })
    #expect(fulls.map { $0["lon"] as? Int64 } == summary.fulls.map(\.longitude))
    #expect(row["rules"] as? [String] == summary.coverage.rules.sorted() && !summary.coverage.rules.isEmpty)
    #expect(row["faults"] as? [String] == summary.coverage.faults.sorted())
    #expect(row["tornBytes"] as? Int == 0 && row["lostLines"] as? Int == 0 && row["findingCount"] as? Int == 0)

    let bytes = try #require(row["bytes"] as? [[String: Any]])
    #expect(sum(bytes, "up") == row["up"] as? Int && sum(bytes, "down") == row["down"] as? Int)
    #expect(sum(bytes, "down") == lines.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) })
    #expect(sum(bytes, "requests") == sum(requests, "requests"))
  }

  @Test(arguments: ["atlantic", "own-reports", "server-outage", "listening-old-server"])
  func aRowHasTheBytesOfEachRule(name: String) throws {
    let rows = try #require(try row(name)["bytes"] as? [[String: Any]])
    let accounts = try ByteLedger(path: Logs.recording(name)).accounts.sorted { $0.key < $1.key }
    #expect(rows.count == accounts.count && !rows.isEmpty)
    for (row, (heading, account)) in zip(rows, accounts) {
      #expect(row["scope"] as? String == heading.scope && row["rule"] as? String == heading.rule)
      #expect(row["requests"] as? Int == account.requests && row["uncounted"] as? Int == account.uncounted)
      #expect(row["up"] as? Int64 == account.up.total && row["down"] as? Int64 == account.down.total)
      #expect(row["area"] as? Int64 == account.up.area)
      #expect(row["retry"] as? Int64 == account.up.retry + account.down.retry)
    }
    #expect(accounts.contains { $0.value.up.area > 0 })
  }

  @Test func aThousandFullFetchesAreListed() {
    var flight = LongFlight()
    for _ in 0..<1000 {
      flight.send(.refreshRequested(full: true))
      flight.answer()
    }
    let summary = Logs.summary(of: flight.draft)
    #expect(summary.statistics.fulls == 1001 && summary.fulls.count == 1000)
    #expect(summary.fulls.prefix(3).map(\.offsetMS) == [400, 800, 1200])
  }

  @Test func everyRowHasTheSameColumns() throws {
    let columns = [
      "bytes", "cells", "code", "day", "deltas", "decisions", "destination", "digest", "down", "engine", "faults",
      "findingCount",
      "findings", "fullFetches", "fulls", "inputs", "line", "lostLines", "marks", "origin", "path", "reason",
      "requests", "result",
      "rules", "seq", "spanMS", "start", "tornBytes", "up", "uploads", "worstAgeS",
    ]
    for name in ["atlantic", "polygons", "no-such-flight"] {
      let json = FlightSummary(path: Logs.recording(name)).json()
      let row = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(Set(row.keys) == Set(columns))
      #expect(row["result"] as? String == (name == "no-such-flight" ? "unreadable" : "same"))
      #expect((row["code"] is NSNull) == (name != "no-such-flight"))
    }
  }

  @Test(
    arguments: [
      ([10, 20], 15), ([179, -179], 180), ([-179, 179], -180), ([170, -160], -175), ([-170, 160], 175), ([-10, 0], -5),
      ([90, -90], 0), ([-90, 90], 0), ([-90, 91], -180), ([90, -91], 180), ([170, -169], -180), ([-170, 169], 180),
    ] as [([Int64], Int64)]) func theMiddleOfPointsIsBetweenThem(longitudes: [Int64], middle: Int64) throws
  {
    let points = longitudes.map {
      FixedCoordinate(latitudeE7: -10 * FixedCoordinate.degree, longitudeE7: $0 * FixedCoordinate.degree)
    }
    let found = try #require(FlightSummary.middle(of: points))
    #expect(found.latitude == -10 && found.longitude == middle)
    #expect(FlightSummary.middle(of: []) == nil)
  }

  @Test func theEndsOfARouteAreInTenthsOfADegree() throws {
    func point(_ latitude: Int64, _ longitude: Int64) -> FixedCoordinate {
      FixedCoordinate(latitudeE7: latitude, longitudeE7: longitude)
    }
    let middle = point(0, 0)
    let route = try #require(
      FlightSummary.Route([point(-499_999, 500_000), middle, point(515_499_999, -1_234_500_001)]))
    #expect(route.from == "0.0,0.1")
    #expect(route.to == "51.5,-123.5")
    #expect(FlightSummary.Route([middle]) == nil && FlightSummary.Route(nil) == nil)
    #expect(FlightSummary.Route([nil, middle]) == nil && FlightSummary.Route([middle, nil]) == nil)
  }

  @Test(arguments: [1, 2, 3, 5, 64 << 10]) func pathsAreTheLinesOfAFile(blockSize: Int) {
    var bytes = Array("a\nlog b\r\n\nd".utf8)
    var paths = PathLines(blockSize: blockSize) { buffer in
      let part = bytes.prefix(buffer.count)
      buffer.copyBytes(from: part)
      bytes.removeFirst(part.count)
      return part.count
    }
    var found: [String] = []
    while let path = paths.next() { found.append(path) }
    #expect(found == ["a", "log b", "", "d"])
    #expect(paths.next() == nil)
  }

  @Test func nothingIsReadAfterTheEnd() {
    var reads = 0
    var paths = PathLines { _ in
      reads += 1
      return 0
    }
    let found = [paths.next(), paths.next()]
    #expect(found == [nil, nil] && reads == 1)
  }

  @Test func aPathThatIsTooLongIsCut() {
    var rest = PathLines.maximumByteCount + 10
    var paths = PathLines(blockSize: 1000) { buffer in
      let count = min(buffer.count, rest)
      for index in 0..<count { buffer[index] = UInt8(ascii: rest - index == 1 ? "\n" : "p") }
      rest -= count
      return count
    }
    #expect(paths.next()?.utf8.count == PathLines.maximumByteCount)
    #expect(paths.next() == nil)
  }

  @Test func theExitCodeOfACheckIsThatOfTheWorstLog() throws {
    let same = FlightSummary(path: Logs.recording("atlantic"))
    let draft = try LogDraft(path: Logs.recording("key-revoked")).withDecisions { decision in
      if case .errorReported = decision { [] } else { [decision] }
    }
    let found = Logs.summary(of: draft)
    let missing = FlightSummary(path: Logs.recording("no-such-flight"))
    #expect(found.findingCount > 0 && missing.isUnreadable && !same.isUnreadable)
    #expect(CheckReport([]).exitCode == 0 && CheckReport([same]).exitCode == 0)
    #expect(CheckReport([same, found]).exitCode == 1)
    #expect(CheckReport([found, missing, same]).exitCode == 2)
    var one = same
    one.findingCount = 1
    #expect(CheckReport([one]).exitCode == 1)
    guard case .unreadable(let fault) = missing.outcome else {
      Issue.record("a log that isn't there was read")
      return
    }
    let text = CheckReport([missing]).text
    #expect(
      text.hasPrefix("\(fault.headline)\n  \(fault.reason). \(fault.advice)\n\n1 log: 0 findings, 1 unreadable log"))
  }
}
