import ContrailAirportData
import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Testing

/// Recordings with airports: the files are read anew.
@Suite struct AirportsTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("airports.jsonl")
  }

  private static let airport = Airport(
    recordID: "1", locationID: "ONE", name: "One", dataSource: .nasr,
    coordinate: Coordinate(latitude: 1, longitude: 2))

  /// A flight that loads a cycle which becomes effective an hour later, and goes on past that.
  ///
  /// - Parameter digest: What the line says that the file gave; nil for what it gives.
  private func write(digest: UInt64? = nil, file: [UInt8]? = nil) throws {
    let cycle = try #require(AIRACCycle(at: Rig.start / 1000)?.next)
    let bytes = try file ?? AirportFile.packed([Self.airport], cycle: cycle, sources: [])
    let id = try BlobStore(directory: directory.file("blobs")).put(bytes)
    let edition = AirportEdition(cycle: cycle.identifier, effectiveMS: Rig.start + 3_600_000)
    var rig = Flights.small()
    rig.send(
      .airportsDownloaded(
        .init(edition: edition, blob: .init(sha256: id.digits, byteCount: bytes.count), wireBytes: 10)))
    rig.send(
      .airportsLoaded(
        .init(
          edition: edition, count: 1, digest: digest ?? AirportDigest([Self.airport]).value, changes: .init(added: 1))))
    rig.now = Rig.start + 3_600_000
    rig.send(.clockTicked(scope: .airports, due: rig.now))
    try rig.writeLog(to: path)
  }

  @Test func aFileThatGivesWhatWasRecordedReplaysTheSame() throws {
    try write()
    let result = RecordingResult(replaying: path)
    #expect(result.outcome == .same)
    #expect(Verification(path: path).fault == nil)
  }

  @Test func aFileThatGivesOtherAirportsIsADivergence() throws {
    try write(digest: 7)
    guard case .diverged(let divergence, _) = RecordingResult(replaying: path).outcome else {
      Issue.record("it replays the same")
      return
    }
    #expect(
      divergence.difference
        == .records(.airports, recorded: 7, now: AirportDigest([Self.airport]).value))
    #expect(divergence.scope == .airports)
  }

  @Test func aFileThatCannotBeReadGivesNothing() throws {
    try write(file: [1, 2, 3, 4, 5, 6, 7, 8, 9])
    guard case .diverged(let divergence, _) = RecordingResult(replaying: path).outcome else {
      Issue.record("it replays the same")
      return
    }
    #expect(
      divergence.difference
        == .records(.airports, recorded: AirportDigest([Self.airport]).value, now: nil))
  }

  /// Recordings that load the same file, some with another result, and some in a folder that lacks it.
  private func fleet() throws -> [String] {
    try POSIXStorage().makeDirectory(directory.file("elsewhere"))
    return try (0..<12).map { number in
      try write(digest: number % 3 == 1 ? 7 : nil)
      let copy = directory.file((number % 4 == 3 ? "elsewhere/" : "") + "\(number).jsonl")
      try LogEditor.edit(path, to: copy) { _ in }
      return copy
    }
  }

  @Test func aFleetGivesWhatEachOfItsRecordingsGives() throws {
    let paths = try fleet()
    let expected = paths.map { RecordingResult(replaying: $0) }
    #expect(expected.map { $0.outcome == .same } == (0..<12).map { $0 % 3 != 1 && $0 % 4 != 3 })
    for coreCount in [1, 2, 5] {
      let results = ParallelReplay(paths, coreCount: coreCount).results()
      #expect(RunReport(results).text(as: .json) == RunReport(expected).text(as: .json), "\(coreCount) cores")
    }
  }

  @Test func aFleetReadsAFileOnce() throws {
    let paths = try fleet().filter { !$0.contains("elsewhere") }
    let expected = RunReport(paths.map { RecordingResult(replaying: $0) }).text(as: .json)
    let blobs = directory.file("blobs")
    let results = ParallelReplay(paths, coreCount: 1).results { count, _ in
      guard count == 2 else { return }
      try? POSIXStorage().rename(blobs, to: blobs + ".read")
    }
    #expect(RunReport(results).text(as: .json) == expected)
    #expect(RecordingResult(replaying: paths[0]).outcome != .same)
  }

  @Test func aFileThatIsMissingMakesTheRecordingUnreadable() throws {
    try write()
    for name in try POSIXStorage().names(in: directory.file("blobs")) {
      try POSIXStorage().remove(directory.file("blobs") + "/" + name)
    }
    guard case .unreadable(let fault) = RecordingResult(replaying: path).outcome else {
      Issue.record("it could be read")
      return
    }
    #expect(fault.code == "blobMissing")
  }

  @Test func whatIsKnownOfAirportsIsInspected() throws {
    try write()
    let text = try Inspection(path: path, at: nil).text
    #expect(text.contains("\nairports\n  in use     "))
  }
}
