import Contrail
import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailStore
import ContrailTestSupport
import Testing

/// The driver's commands, carried out on a database.
@Suite struct ProjectionWriterTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("projections.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  /// A writer over a log whose lines have a crc that follows from their number, and from the log's.
  private func writer(log: UInt32 = 0) -> ProjectionWriter {
    ProjectionWriter(path: path) { Self.crc($0, log) }
  }

  private static func crc(_ seq: Int64, _ log: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: seq &* 2_654_435_761) ^ log
  }

  private static func tail(_ state: State, log: UInt32 = 0) -> LogTail {
    LogTail(seq: state.nextSeq - 1, crc: crc(state.nextSeq - 1, log), at: state.now)
  }

  private func expect(
    _ writer: ProjectionWriter, holds state: State, log: UInt32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try #require(writer.openStore, sourceLocation: sourceLocation)
    #expect(try store.holds(state), sourceLocation: sourceLocation)
    for contents in state.scopes.compactMap(ScopeContents.init) {
      #expect(try store.contents(of: contents.summary.id) == contents, sourceLocation: sourceLocation)
    }
    #expect(
      try store.position() == LogPosition(seq: state.nextSeq - 1, crc: Self.crc(state.nextSeq - 1, log)),
      sourceLocation: sourceLocation)
  }

  /// A state, and the one after another answer.
  private static func states() -> (State, State) {
    var rig = Rig.flying()
    let before = rig.state
    rig.pass(seconds: 120)
    rig.answer()
    return (before, rig.state)
  }

  @Test func theFirstLaunchOfAllMakesNothingAnew() throws {
    let writer = writer()
    var rig = Rig()
    rig.launch()
    #expect(writer.perform(.open(rig.state, Self.tail(rig.state))).name == "done")
    try expect(writer, holds: rig.state)
  }

  @Test func aDatabaseThatIsMissingIsMadeFromTheState() throws {
    let (state, _) = Self.states()
    let writer = writer()
    #expect(writer.perform(.open(state, Self.tail(state))).name == "missing")
    try expect(writer, holds: state)
  }

  /// The position that is kept is that of a line of the log, or the next launch would find a database of another log.
  @Test func aDatabaseAheadOfItsLogTakesTheLogsPosition() throws {
    var rig = Rig.flying()
    let held = rig.state
    rig.send(.frequencyChanged(.none))
    let lost = rig.state
    let writer = writer()
    _ = writer.perform(.open(lost, Self.tail(lost)))
    writer.close()
    let again = self.writer()
    #expect(lost.nextSeq > held.nextSeq && StoreChange(from: lost, to: held).isEmpty)
    #expect(again.perform(.open(held, Self.tail(held))).name == "done")
    try expect(again, holds: held)
  }

  @Test func aChangeIsWrittenAndAChangeFromOtherRowsIsNot() throws {
    let (before, after) = Self.states()
    let writer = writer()
    _ = writer.perform(.open(before, Self.tail(before)))
    #expect(writer.perform(.apply(from: before, to: after, Self.tail(after))).name == "done")
    try expect(writer, holds: after)
    // Once more is no way forward.
    #expect(writer.perform(.apply(from: before, to: after, Self.tail(after))).name == "outOfStep")
    // A change of nothing is not written.
    #expect(writer.perform(.apply(from: after, to: after, Self.tail(after))).name == "done")
  }

  @Test func whatDiffersIsMadeUpFor() throws {
    let (before, after) = Self.states()
    let writer = writer()
    _ = writer.perform(.open(before, Self.tail(before)))
    #expect(writer.perform(.catchUp(after, Self.tail(after))).name == "done")
    try expect(writer, holds: after)
  }

  @Test func aRebuildLeavesTheRowsOfTheStateAndSaysSo() throws {
    let (before, after) = Self.states()
    let writer = writer()
    _ = writer.perform(.open(before, Self.tail(before)))
    #expect(writer.perform(.rebuild(after, Self.tail(after))).name == "fromAnotherLog")
    try expect(writer, holds: after)
  }

  @Test func aCommandOpensTheDatabaseFirstIfItMust() throws {
    let (before, after) = Self.states()
    let commands: [ProjectionCommand] = [
      .apply(from: before, to: after, Self.tail(after)), .catchUp(after, Self.tail(after)),
      .rebuild(after, Self.tail(after)),
    ]
    for command in commands {
      let writer = writer()
      _ = writer.perform(.open(before, Self.tail(before)))
      writer.close()
      #expect(writer.openStore == nil)
      #expect(["done", "fromAnotherLog"].contains(writer.perform(command).name))
      try expect(writer, holds: after)
      writer.close()
    }
  }

  @Test func aDatabaseThatIsBehindCatchesUpOnOpening() throws {
    let (before, after) = Self.states()
    let first = writer()
    _ = first.perform(.open(before, Self.tail(before)))
    first.close()
    let second = writer()
    #expect(second.perform(.open(after, Self.tail(after))).name == "done")
    #expect(try #require(second.openStore).holds(after))
    second.close()
    // The log has lost lines.
    let third = writer()
    #expect(third.perform(.open(before, Self.tail(before))).name == "done")
    #expect(try #require(third.openStore).holds(before))
  }

  @Test func aDatabaseThatIsLevelIsNotMadeAnew() throws {
    let (state, _) = Self.states()
    let first = writer()
    _ = first.perform(.open(state, Self.tail(state)))
    first.close()
    let second = writer()
    #expect(second.perform(.open(state, Self.tail(state))).name == "done")
    #expect(second.perform(.open(state, Self.tail(state))).name == "done")
    try expect(second, holds: state)
  }

  @Test func aDatabaseOfAnotherLogIsMadeAnew() throws {
    let (before, after) = Self.states()
    let first = writer(log: 77)
    _ = first.perform(.open(before, Self.tail(before, log: 77)))
    first.close()
    let second = writer()
    #expect(second.perform(.open(after, Self.tail(after))).name == "fromAnotherLog")
    try expect(second, holds: after)
  }

  @Test func aDamagedDatabaseIsSetAsideAndMadeAnew() throws {
    let (state, _) = Self.states()
    try TemporaryDirectory.put(Array("no database".utf8), path)
    let writer = writer()
    let result = writer.perform(.open(state, Self.tail(state)))
    guard case .done(.damaged(let place, let reason)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(place == path + ".damaged-1" && !reason.isEmpty)
    try expect(writer, holds: state)
  }

  @Test func whatCannotBeOpenedIsToldAsTheDatabases() throws {
    let (state, _) = Self.states()
    try TemporaryDirectory.put([], directory.file("file"))
    let writer = ProjectionWriter(path: directory.file("file/projections.sqlite")) { Self.crc($0, 0) }
    guard case .failed(let error) = writer.perform(.open(state, Self.tail(state))) else {
      Issue.record("a file is no folder")
      return
    }
    #expect(error.code == .store && writer.openStore == nil)
  }
}

extension ProjectionResult {
  /// What became of the command, as a word.
  var name: String {
    switch self {
    case .done(nil): "done"
    case .done(.missing?): "missing"
    case .done(.damaged?): "damaged"
    case .done(.fromAnotherLog?): "fromAnotherLog"
    case .outOfStep: "outOfStep"
    case .failed: "failed"
    }
  }
}
