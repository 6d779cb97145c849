import ContrailCore
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

/// What a viewer sees of a recording: the verdict, the columns, and the state after any line.
@Suite struct PlaybackTests {
  private static let recordings = PackageFolder.recordings

  private static let names = [
    "atlantic", "reroute", "own-reports", "destination-weather", "relaunch-in-flight", "polygons",
  ]

  private func playback(_ path: String, stepBytes: Int64 = 1 << 20) -> Playback {
    let playback = Playback(path: path)
    while playback.step(byteCount: stepBytes) {}
    return playback
  }

  private func recording(_ name: String) -> Playback { playback("\(Self.recordings)/\(name).jsonl") }

  @Test(arguments: names) func theVerdictIsThatOfAReplay(_ name: String) {
    let playback = recording(name)
    let result = RecordingResult(replaying: playback.path)
    let verdict = playback.verdict
    #expect(verdict.isSame)
    #expect(verdict.decisions == result.statistics.decisions)
    #expect(verdict.digest == result.digest)
    #expect(playback.byteCount == result.byteCount)
    #expect(verdict.crcLines == playback.columns.count)
  }

  @Test(arguments: names) func theStateAfterAnyLineIsTheOneFoldedFromTheStart(_ name: String) throws {
    let playback = recording(name)
    let reader = try RecordingReader(path: playback.path)
    var state = State()
    var states: [State] = []
    while let entry = try reader.next() {
      state.evolve(entry.record)
      states.append(state)
    }
    #expect(states.count == playback.columns.count)
    var random = SplitMix64(seed: 3)
    for _ in 0..<60 {
      let line = Int.random(in: 0..<states.count, using: &random)
      #expect(playback.state(after: line) == states[line], "line \(line)")
    }
    #expect(playback.state(after: -1) == State())
    #expect(playback.state(after: .max) == states.last)
  }

  @Test func theColumnsTellWhatTheLinesSay() throws {
    let playback = recording("atlantic")
    let columns = playback.columns
    let reader = try RecordingReader(path: playback.path)
    var line = 0
    while let entry = try reader.next() {
      #expect(columns.seq[line] == Double(entry.record.seq))
      #expect(columns.at[line] == Double(entry.record.at))
      #expect(Kind.allCases[Int(columns.kind[line])].rawValue == entry.source.kindName)
      #expect(playback.bytes(of: line) == Array(entry.source.bytes))
      switch entry.record.event {
      case .decision(.fetchStarted(let started)):
        #expect(playback.scopes[Int(columns.scope[line])] == started.scope)
        #expect(Rule.allCases[Int(columns.rule[line])] == started.rule)
        #expect(columns.request[line] == UInt32(started.request))
        #expect(columns.seq[Int(columns.cause[line])] == Double(started.cause))
        #expect(columns.bytesUp[line] > 0)
      case .input(.responseReceived(let response)):
        #expect(columns.status[line] == UInt16(response.status))
        #expect(columns.bytesDown[line] == UInt32(response.wireBytes))
        #expect(columns.request[Int(columns.started[line])] == UInt32(response.request))
      default: break
      }
      line += 1
    }
    #expect(line == columns.count)
    let corridor = try #require(playback.scopes.firstIndex(of: .corridor))
    #expect(
      playback.histories[corridor].watermark.last
        == playback.state(after: .max).scope(.corridor)?.have.map { Double($0.watermark) })
  }

  @Test func smallStepsGiveTheSame() {
    let whole = recording("reroute")
    let slices = playback(whole.path, stepBytes: 1)
    #expect(slices.verdict.digest == whole.verdict.digest)
    #expect(slices.columns.offset == whole.columns.offset)
    #expect(slices.columns.serverAt == whole.columns.serverAt)
  }

  @Test func aChangedDecisionIsNamed() throws {
    let directory = try TemporaryDirectory()
    let text = try String(contentsOfFile: "\(Self.recordings)/atlantic.jsonl", encoding: .utf8)
    // Without CRCs, as a line written by hand, and with another rule.
    var lines = text.split(separator: "\n").map { $0.replacing(#/,"crc":"[0-9a-f]{8}"}$/#, with: "}") }
    lines[0] = lines[0].replacing(#/}$/#, with: ",\"crc\":false}")
    let changed = try #require(lines.indices.filter { lines[$0].contains("\"rule\":\"due\"") }.dropFirst(3).first)
    lines[changed] = lines[changed].replacing("\"rule\":\"due\"", with: "\"rule\":\"requested\"")
    let path = directory.file("changed.jsonl")
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    let playback = playback(path)
    let result = RecordingResult(replaying: path)
    guard case .diverged(let divergence, _) = result.outcome else {
      Issue.record("the recording must diverge")
      return
    }
    let verdict = playback.verdict
    #expect(verdict.divergence == divergence)
    #expect(verdict.differingDecisions == 1)
    #expect(!verdict.isSame)
    let flags = LineColumns.Flags(rawValue: playback.columns.flags[changed])
    #expect(flags.contains(.first) && flags.contains(.diverges))
    #expect(playback.columns.flags.filter { LineColumns.Flags(rawValue: $0).contains(.diverges) }.count == 1)
  }

  // MARK: Requests

  private func flags(_ playback: Playback) -> [LineColumns.Flags] {
    playback.columns.flags.map { LineColumns.Flags(rawValue: $0) }
  }

  @Test(arguments: ["listening-storm", "repaired", "own-reports", "antimeridian", "destination-weather"])
  func theFlagsTellWhatARequestAsksForAndWhetherADeltaBroughtNews(_ name: String) throws {
    let playback = recording(name)
    let told = flags(playback)
    let reader = try RecordingReader(path: playback.path)
    var state = State()
    var line = 0
    while let entry = try reader.next() {
      var expected: LineColumns.Flags = []
      var answered: (delta: ObservationsAnswer, before: Scope)?
      switch entry.record.event {
      case .decision(.fetchStarted(let started)):
        switch started.mode {
        case .full: expected.insert(.full)
        case .repair: expected.insert(.repair)
        case .delta: break
        }
        if started.hold != nil { expected.insert(.held) }
      case .input(.responseReceived(let response)) where response.status == 200:
        let scope = state.scopes.first { $0.inFlight?.request == response.request }
        guard let scope, scope.id.hasDeltas, scope.inFlight?.mode == .delta else { break }
        answered = (try response.body.observations(), scope)
      default: break
      }
      state.evolve(entry.record)
      if let (delta, before) = answered, state.scope(before.id)?.lastSuccessAt == entry.record.at,
        delta.reports.isEmpty, delta.pireps.isEmpty, delta.traffic ?? [] == [], before.records.traffic.isEmpty
      {
        expected.insert(.unchanged)
      }
      let all: LineColumns.Flags = [.full, .repair, .held, .unchanged]
      #expect(told[line].intersection(all) == expected, "line \(line + 1)")
      line += 1
    }
    #expect(line == playback.columns.count)
  }

  @Test func heldRequestsAreDeltas() {
    let all = flags(recording("listening-storm"))
    #expect(all.filter { $0.contains(.full) }.count == 11)
    #expect(all.filter { $0.contains(.held) }.count == 172)
    #expect(all.allSatisfy { !$0.isSuperset(of: [.full, .held]) })
    #expect(all.filter { $0.contains(.unchanged) }.count == 31)
  }

  @Test func anEmptyDeltaThatDoesNotMatchIsNoConfirmation() throws {
    let directory = try TemporaryDirectory()
    let text = try String(contentsOfFile: "\(Self.recordings)/listening-quiet-ocean.jsonl", encoding: .utf8)
    var lines = text.split(separator: "\n").map { $0.replacing(#/,"crc":"[0-9a-f]{8}"}$/#, with: "}") }
    lines[0] = lines[0].replacing(#/}$/#, with: ",\"crc\":false}")
    let empty = try #require(lines.firstIndex { $0.contains("\"follows\":") && $0.contains("\"hexagons\":[]") })
    func isUnchanged(_ name: String) throws -> Bool {
      let path = directory.file(name)
      try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
      return flags(playback(path))[empty].contains(.unchanged)
    }
    #expect(try isUnchanged("same.jsonl"))
    lines[empty] = lines[empty].replacing(#/"count":[0-9]+/#, with: "\"count\":9999")
    #expect(try !isUnchanged("differs.jsonl"))
  }

  @Test func damageEndsTheRecordingAndKeepsWhatPrecedes() throws {
    let directory = try TemporaryDirectory()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.recordings)/atlantic.jsonl")))
    bytes[bytes.count / 2] ^= 1
    let path = directory.file("damaged.jsonl")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let playback = playback(path)
    #expect(playback.problem?.code == "damagedLine")
    #expect(playback.columns.count > 50)
    #expect(!playback.verdict.isSame)
    #expect(playback.state(after: 50).session != nil)
  }

  @Test func aTornTailIsNoDamage() throws {
    let directory = try TemporaryDirectory()
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.recordings)/atlantic.jsonl"))).dropLast(30)
    let path = directory.file("torn.jsonl")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let playback = playback(path)
    #expect(playback.verdict.isSame)
    #expect(playback.verdict.setAside.tornTail?.line == playback.columns.count + 1)
  }

  @Test func filesInMemoryGiveTheSame() throws {
    let path = "\(Self.recordings)/airports-cycle-change.jsonl"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var files = ["flight.jsonl": bytes]
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.recordings)/blobs") {
      files["blobs/\(name)"] = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.recordings)/blobs/\(name)")))
    }
    let memory = Playback(path: "flight.jsonl", storage: MemoryStorage(files))
    while memory.step(byteCount: 4096) {}
    #expect(memory.verdict.digest == playback(path).verdict.digest)
    #expect(memory.verdict.isSame)
    let missing = Playback(path: "none.jsonl", storage: MemoryStorage(files))
    #expect(!missing.step(byteCount: 1))
    #expect(missing.problem != nil)
  }

  // MARK: Why

  @Test func aCellIsVisibleSinceTheLineThatBroughtIt() throws {
    let playback = recording("atlantic")
    let last = playback.columns.count - 1
    let reports = playback.view(after: last).reports
    try #require(reports.count > 0)
    let cell = UInt64(reports.hi[0]) << 32 | UInt64(reports.lo[0])
    let presence = try #require(playback.presence(of: cell, after: last).first { $0.visibleCount > 0 })
    #expect(presence.reason == .visible)
    let since = playback.columns.line(of: try #require(presence.since))
    #expect(Kind.allCases[Int(playback.columns.kind[since])] == .responseReceived)
    #expect(playback.presence(of: cell, after: since - 1).allSatisfy { $0.visibleCount == 0 })
    #expect(playback.presence(of: cell, after: since).contains { $0.visibleCount > 0 })
  }

  @Test func anAbsentCellHasAReason() throws {
    let playback = recording("atlantic")
    let last = playback.columns.count - 1
    // In the Southern Ocean, where no corridor of this flight is.
    #expect(
      playback.presence(of: 0x85ef_380b_ffff_fff, after: last).allSatisfy {
        $0.reason == .outside || $0.reason == .notAsked
      })
    #expect(playback.presence(of: 0, after: last).allSatisfy { $0.reason == .outside || $0.reason == .notAsked })
    #expect(playback.story(of: 0, after: last).rows.isEmpty == false)
  }

  @Test func aRequestIsExplainedAsByTheCommand() throws {
    let playback = recording("atlantic")
    let story = try #require(playback.story(ofRequest: 9))
    let told = try RequestStory(path: playback.path, request: 9)
    #expect(story.title == told.title)
    #expect(story.rows == told.rows)
    #expect(playback.story(ofRequest: 100_000) == nil)
  }

  @Test func aLineLeadsBackToItsCauses() throws {
    let playback = recording("atlantic")
    let response = try #require(playback.columns.kind.firstIndex { Kind.allCases[Int($0)] == .responseReceived })
    let rows = playback.story(ofLine: response).rows
    #expect(rows.first?.name == "request")
    #expect(rows.first?.seq.map { Double($0) } == playback.columns.seq[Int(playback.columns.started[response])])
    #expect(rows.contains { $0.name == "because" })
    #expect(playback.story(ofLine: -5).rows.isEmpty)
  }
}
