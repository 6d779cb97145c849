import ContrailCore
import ContrailTestSupport
import ContrailWire
import Foundation
import GRDB
import Testing

@testable import ContrailStore

/// What a store does with what it finds at its path.
@Suite struct OpeningTests {
  /// Expects an empty store in the damaged one's place, and the damaged one whole beside it; then rebuilds it.
  private static func expectRecovery(_ scratch: Scratch, _ state: State, damaged: Data) throws {
    let store = try scratch.store()
    let recovery = try #require(store.recovery)
    #expect(recovery.movedTo == scratch.path + ".damaged-1")
    #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.movedTo)) == damaged)
    #expect(!recovery.reason.isEmpty)
    #expect(try store.position() == nil)
    #expect(try store.summaries() == [])
    try store.rebuild(from: state, through: LogPosition(endOf: state))
    try store.expectAgreement(with: state)
    try store.close()
    #expect(try scratch.store().recovery == nil)
  }

  @Test func aStoreIsMadeWithItsFolders() throws {
    let scratch = try Scratch()
    let store = try ProjectionStore(path: scratch.folder + "/a/b/projections.sqlite")
    #expect(try store.position() == nil)
    #expect(store.recovery == nil)
  }

  /// The reports around a flight say where it is.
  @Test func onlyTheUserReadsAStore() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    let state = Rig.flying().state
    try store.rebuild(from: state, through: LogPosition(endOf: state))
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
  }

  @Test func writesAreAheadAndSyncedAtCheckpoints() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    #expect(try store.pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    #expect(try store.pool.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
  }

  @Test func aGarbageHeaderIsSetAsideAndTheStoreRebuilt() throws {
    let (scratch, state) = try Scratch.filled()
    var bytes = try scratch.bytes()
    bytes.replaceSubrange(0..<100, with: Data(repeating: 0xA5, count: 100))
    try scratch.overwrite(bytes)
    try Self.expectRecovery(scratch, state, damaged: bytes)
  }

  @Test(arguments: [1, 99, 1000, 4096, 9000, 20_000])
  func aTruncatedFileIsSetAsideAndTheStoreRebuilt(length: Int) throws {
    let (scratch, state) = try Scratch.filled()
    let bytes = try scratch.bytes()
    #expect(bytes.count > length)
    try scratch.overwrite(bytes.prefix(length))
    try Self.expectRecovery(scratch, state, damaged: bytes.prefix(length))
  }

  @Test func aDamagedPageIsSetAsideAndTheStoreRebuilt() throws {
    let (scratch, state) = try Scratch.filled()
    var bytes = try scratch.bytes()
    let page = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(page..<page + 64, with: Data(repeating: 0xFF, count: 64))
    try scratch.overwrite(bytes)
    try Self.expectRecovery(scratch, state, damaged: bytes)
  }

  @Test func anEmptyFileIsAnEmptyStore() throws {
    let (scratch, _) = try Scratch.filled()
    try scratch.overwrite(Data())
    let store = try scratch.store()
    #expect(store.recovery == nil)
    #expect(try store.position() == nil)
  }

  /// The smallest database there is has 512 bytes. Only a shorter file is cut.
  @Test func theSmallestEmptyDatabaseIsAnEmptyStore() throws {
    let scratch = try Scratch()
    let queue = try DatabaseQueue(path: scratch.path)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA page_size = 512; CREATE TABLE gone (id); DROP TABLE gone; VACUUM")
    }
    try queue.close()
    #expect(try scratch.bytes().count == 512)
    let store = try scratch.store()
    #expect(store.recovery == nil)
    #expect(try store.position() == nil)
  }

  @Test func aDeletedStoreIsAnEmptyStore() throws {
    let (scratch, _) = try Scratch.filled()
    try FileManager.default.removeItem(atPath: scratch.path)
    #expect(try scratch.store().position() == nil)
  }

  @Test func whatSQLiteKeepsBesideADamagedStoreGoesAlong() throws {
    let (scratch, _) = try Scratch.filled()
    try scratch.overwrite(Data("no database".utf8))
    try Data("journal".utf8).write(to: URL(fileURLWithPath: scratch.path + "-wal"))
    let recovery = try #require(try scratch.store().recovery)
    #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.movedTo + "-wal")) == Data("journal".utf8))
  }

  @Test func damagedStoresAreNumberedAndTheLastThreeKept() throws {
    let scratch = try Scratch()
    for number in 1...5 {
      try scratch.overwrite(Data("no database, number \(number)".utf8))
      let store = try scratch.store()
      #expect(store.recovery?.movedTo == scratch.path + ".damaged-\(number)")
      try store.close()
    }
    let aside = try scratch.names.filter { $0.contains("damaged") }
    #expect(aside == (3...5).map { "projections.sqlite.damaged-\($0)" })
  }

  @Test func aRowThatIsWellFormedAndWrongIsFoundByVerifying() throws {
    let (scratch, state) = try Scratch.filled()
    let store = try scratch.store()
    #expect(try store.verify() == [])
    try store.pool.write {
      try $0.execute(
        sql: "UPDATE reportRows SET observedAt = observedAt + 1 WHERE packed = (SELECT max(packed) FROM reportRows)")
    }
    #expect(try store.verify() == [.corridor])
    try store.rebuild(from: state, through: LogPosition(endOf: state))
    #expect(try store.verify() == [])
  }

  /// Of a block of reports: one is missing, one is another, the last is cut, one has a bit that no report has, and the block is of a
  /// time that there can't be.
  @Test(arguments: [
    "body = substr(body, 9)", "body = CAST(x'00' || substr(body, 2) AS BLOB)", "body = substr(body, 2)",
    "body = CAST(substr(body, 1, length(body) - 1) || x'FF' AS BLOB)", "block = -1",
  ])
  func aBlockOfReportsThatIsWrongIsNeverShown(assignment: String) throws {
    let (scratch, state) = try Scratch.filled()
    let store = try scratch.store()
    try store.pool.write {
      try $0.execute(
        sql:
          "UPDATE reportBlocks SET \(assignment) WHERE block = (SELECT block FROM reportBlocks ORDER BY length(body) DESC)"
      )
    }
    let error = try #require(throws: StoreError.self) { try scratch.reader.contents() }
    #expect(error.code == .damaged)
    try store.rebuild(from: state, through: LogPosition(endOf: state))
    #expect(try scratch.reader.contents().scopes == state.scopes.compactMap(ScopeContents.init))
  }

  @Test func aBlockIsAscendingAndItsLowestByteComesFirst() throws {
    let (scratch, state) = try Scratch.filled()
    let blocks = try scratch.store().pool.read {
      try Row.fetchAll($0, sql: "SELECT block, body FROM reportBlocks ORDER BY block")
    }
    let second: (TurbulenceReport) -> Int64 = { Int64($0.observedAt) }
    let reports = try #require(state.scope(.corridor)?.reports.sorted)
    #expect(blocks.map { $0[0] as Int64 } == Set(reports.map { second($0) / 64 }).sorted())
    for row in blocks {
      let (block, body) = (row[0] as Int64, row[1] as Data)
      var words: [UInt64] = []
      for report in reports where second(report) / 64 == block {
        words.append(report.packed * 64 + UInt64(report.observedAt % 64))
      }
      words.sort()
      var bytes: [UInt8] = []
      for word in words { for byte in 0..<UInt64(8) { bytes.append(UInt8(word >> (8 * byte) & 255)) } }
      #expect([UInt8](body) == bytes)
    }
  }

  /// The largest report there can be, and what is above it.
  @Test func theLimitsOfABlockAreThoseOfAReport() throws {
    let queue = try DatabaseQueue()
    try Schema.current.migrator.migrate(queue)
    func reports(block: Int64, word: UInt64) throws -> [TurbulenceReport] {
      try queue.inDatabase { db in
        let body = withUnsafeBytes(of: word.littleEndian) { Data($0) }
        try db.execute(sql: "DELETE FROM reportBlocks")
        try db.execute(sql: "INSERT INTO reportBlocks VALUES (1, ?, ?)", arguments: [block, body])
        return try ReportBlocks.reports(db, key: 1).sorted
      }
    }
    let largest = TurbulenceReport(cell: 1 << 22 - 1, altitude: 52, severity: 4, edrE4: .max, observedAt: .max)
    let (block, word) = (Int64(1) << 26 - 1, largest.packed << 6 | 63)
    #expect(try reports(block: block, word: word) == [largest])
    #expect(throws: DatabaseError.self) { try reports(block: block + 1, word: word) }
    #expect(throws: DatabaseError.self) { try reports(block: block, word: 1 << 53) }
  }

  @Test func aStoreSaysWhatItIsAndHowItIsWritten() throws {
    let (scratch, _) = try Scratch.filled()
    #expect(try scratch.bytes()[68..<72] == Data("CTRL".utf8))
    let store = try scratch.store()
    let settings = try ["journal_mode", "synchronous", "journal_size_limit"].map { name in
      try store.pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }
    #expect(settings == ["wal", "1", "4194304"])
  }

  @Test func whatAnotherProgramHasNotMergedIsLeftAlone() throws {
    let (theirs, ours) = (try Scratch(), try Scratch())
    let pool = try DatabasePool(path: theirs.path)
    try pool.write { try $0.execute(sql: "CREATE TABLE photos (id INTEGER)") }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: theirs.path + suffix, toPath: ours.path + suffix)
    }
    let changes = try Data(contentsOf: URL(fileURLWithPath: ours.path + "-wal"))
    #expect(throws: StoreError.self) { try ours.store() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: ours.path + "-wal")) == changes && !changes.isEmpty)
    try pool.close()
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    let scratch = try Scratch()
    let queue = try DatabaseQueue(path: scratch.path)
    try queue.write { try $0.execute(sql: "CREATE TABLE photos (id INTEGER)") }
    try queue.close()
    let bytes = try scratch.bytes()
    let error = try #require(throws: StoreError.self) { try scratch.store() }
    #expect(error.code == .notAStore)
    #expect(try scratch.names == ["projections.sqlite"])
    #expect(try scratch.bytes() == bytes)
  }

  @Test func aPathThatCannotBeMadeIsAnError() throws {
    let scratch = try Scratch()
    try Data().write(to: URL(fileURLWithPath: scratch.folder + "/file"))
    let inFile = try #require(throws: StoreError.self) {
      try ProjectionStore(path: scratch.folder + "/file/projections.sqlite")
    }
    #expect(inFile.code == .unopenable)
    let folder = try #require(throws: StoreError.self) { try ProjectionStore(path: scratch.folder) }
    #expect(folder.code == .unopenable)
    #expect(folder.description.contains(scratch.folder))
  }

  @Test func aClosedStoreSaysSo() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    try store.close()
    let error = try #require(throws: StoreError.self) { try store.position() }
    #expect(error.code == .closed)
    #expect(!error.isTransient)
  }

  // MARK: Versions

  /// Made up: a step that a later version may have.
  private static let lift = Schema.Step(
    name: "3 made up", sql: "ALTER TABLE trafficRows ADD COLUMN squawk INTEGER; CREATE TABLE more (id INTEGER) STRICT;")

  @Test func anOlderSchemaIsMigratedWithItsRows() throws {
    let scratch = try Scratch()
    var rig = Rig.flying()
    let before = try scratch.store()
    try before.follow(from: State(), to: rig.state)
    try before.close()

    let newer = Schema(steps: Schema.current.steps + [Self.lift])
    let after = try ProjectionStore(path: scratch.path, schema: newer)
    #expect(after.recovery == nil)
    #expect(try after.position() == LogPosition(endOf: rig.state))
    try after.expectAgreement(with: rig.state, schema: newer)
    let previous = rig.state
    rig.pass(seconds: 60)
    rig.answer()
    try after.follow(from: previous, to: rig.state)
    try after.expectAgreement(with: rig.state, schema: newer)
  }

  /// A store of the first version, as it was written then.
  @Test func theFirstVersionsStoreIsEmptiedAndRebuilt() throws {
    let scratch = try Scratch()
    try scratch.makeFirstVersion()
    let store = try scratch.store()
    #expect(store.recovery == nil)
    #expect(try store.position() == nil)
    #expect(try store.summaries() == [])
    let rig = Rig.flying()
    try store.rebuild(from: rig.state, through: LogPosition(endOf: rig.state))
    try store.expectAgreement(with: rig.state)
  }

  /// The process ended between the migrator's own table and the first step.
  @Test func aStoreWhoseMakingWasCutShortIsFinished() throws {
    let scratch = try Scratch()
    let queue = try DatabaseQueue(path: scratch.path)
    try queue.write { try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)") }
    try queue.close()
    #expect(throws: StoreError.self) { try scratch.reader.read { (store) throws(StoreError) in store.position } }
    let store = try scratch.store()
    #expect(try store.position() == nil)
    #expect(try scratch.reader.read { (store) throws(StoreError) in store.position } == nil)
  }

  @Test func aNewerSchemaIsRefusedAndLeftAsItIs() throws {
    let (scratch, state) = try Scratch.filled()
    let future = Schema.Step(name: "3 from the future", sql: "CREATE TABLE more (id INTEGER)")
    try ProjectionStore(path: scratch.path, schema: Schema(steps: Schema.current.steps + [future])).close()
    let bytes = try scratch.bytes()
    let error = try #require(throws: StoreError.self) { try scratch.store() }
    #expect(error.code == .newerSchema)
    #expect(try scratch.names.filter { $0.contains("damaged") } == [])
    #expect(try scratch.bytes() == bytes)
    let newer = Schema(steps: Schema.current.steps + [future])
    try ProjectionStore(path: scratch.path, schema: newer).expectAgreement(with: state, schema: newer)
  }

  @Test func aMigrationThatFailsLeavesTheStoreAsItWas() throws {
    let (scratch, state) = try Scratch.filled()
    let broken = Schema.Step(name: "broken", sql: "DELETE FROM reportRows; CREATE TABLE reportRows (id INTEGER)")
    #expect(throws: StoreError.self) {
      try ProjectionStore(path: scratch.path, schema: Schema(steps: Schema.current.steps + [broken]))
    }
    try scratch.store().expectAgreement(with: state)
  }
}
