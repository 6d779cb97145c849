import ContrailAirportData
import ContrailAirports
import GRDB
import Testing

/// What becomes of the errors of SQLite.
@Suite struct StoreErrorTests {
  @Test(arguments: [
    (ResultCode.SQLITE_CORRUPT, AirportStoreError.Code.damaged, false), (.SQLITE_NOTADB, .damaged, false),
    (.SQLITE_BUSY, .busy, true), (.SQLITE_LOCKED, .busy, true), (.SQLITE_FULL, .full, true),
    (.SQLITE_IOERR, .ioFailed, true), (.SQLITE_IOERR_READ, .ioFailed, true), (.SQLITE_CANTOPEN, .unopenable, true),
    (.SQLITE_PERM, .unopenable, true), (.SQLITE_READONLY, .unopenable, true), (.SQLITE_MISUSE, .closed, false),
    (.SQLITE_RANGE, .refused, false), (.SQLITE_CONSTRAINT, .refused, false),
  ])
  func anErrorOfSQLiteHasACode(_ result: ResultCode, _ code: AirportStoreError.Code, _ isTransient: Bool) throws {
    let queue = try DatabaseQueue()
    let database = try AirportDatabase(queue)
    // A trigger fails in place of the disk.
    try queue.write { db in
      db.add(
        function: DatabaseFunction("failure", argumentCount: 0) { _ in
          throw DatabaseError(resultCode: result, message: "on purpose")
        })
      try db.execute(sql: "CREATE TRIGGER failing BEFORE INSERT ON airportCycles BEGIN SELECT failure(); END")
    }
    let error = #expect(throws: AirportLoaderError.self) { try database.load(RandomAirports.made(3), Times.cycle) }
    guard case .store(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.code == code && fault.isTransient == isTransient)
    #expect(fault.sqliteCode == result.rawValue && fault.reason == "beginning a load failed: on purpose")
    #expect(error?.code == code.rawValue && error?.isTransient == isTransient)
  }

  @Test func aLoadThatFailsOrWaitsMayBeTriedAgainIfThatCanHelp() {
    let transport = AirportTransportError(.unreachable, reason: "on purpose")
    let refused = AirportTransportError(.refused, status: 403, reason: "on purpose")
    for error: AirportLoaderError in [
      .cycleNotAvailable(Times.cycle), .alreadyLoading, .cancelled, .folder(reason: "on purpose"),
      .transport(transport),
    ] {
      #expect(error.isTransient, "\(error)")
    }
    for error: AirportLoaderError in [
      .data(AirportDataError(.damaged, at: 0, "on purpose")), .wrongCycle(expected: Times.cycle, found: Times.after),
      .noCycle(time: 0), .transport(refused),
    ] {
      #expect(!error.isTransient, "\(error)")
    }
  }
}
