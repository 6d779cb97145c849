public import ContrailAirportData
import GRDB

extension AirportDatabase {
  /// Begins to load a cycle, or goes on where a load of the same file was interrupted.
  ///
  /// - Parameters:
  ///   - reader: The airports.
  ///   - fingerprint: What tells the file from others, such as its SHA-256.
  /// - Throws: ``AirportLoadError/store(_:)``.
  /// - Complexity: O(*n*) in the airports held.
  public func beginLoad(of reader: AirportReader, fingerprint: String) throws(AirportLoadError) -> AirportLoad {
    try AirportLoad(self, reader, fingerprint: fingerprint)
  }

  /// Loads a cycle from beginning to end, and puts it in use if it is effective.
  ///
  /// - Parameters:
  ///   - reader: The airports.
  ///   - fingerprint: What tells the file from others, such as its SHA-256.
  ///   - time: The moment, in seconds since 1970.
  /// - Returns: What was found.
  /// - Throws: ``AirportLoadError``; the cycle in use stays in use.
  @discardableResult
  public func load(
    _ reader: AirportReader, fingerprint: String, at time: Int64
  ) throws(AirportLoadError) -> AirportChanges {
    var load = try beginLoad(of: reader, fingerprint: fingerprint)
    while try load.step() {}
    do throws(AirportStoreError) {
      try activatePending(at: time)
      try sweep()
    } catch {
      throw .store(error)
    }
    return load.changes
  }

  /// Puts the cycle that waits in use, in one transaction, if it has begun by a moment.
  ///
  /// - Parameter time: In seconds since 1970.
  /// - Returns: The cycle that came in use; nil if none did.
  @discardableResult
  public func activatePending(at time: Int64) throws(AirportStoreError) -> LoadedCycle? {
    try write("putting a cycle in use") { db in
      let next = try Self.generation(db) + 1
      guard let (loaded, stage) = try LoadedCycle.fetch(db, generation: next), stage == .complete,
        loaded.cycle.effectiveTime <= time
      else { return nil }
      try db.execute(sql: "UPDATE airportState SET generation = ?", arguments: [next])
      return loaded
    }
  }

  /// Deletes rows that aren't in use any more. A load does so before it begins; until then they only take room.
  public func sweep() throws(AirportStoreError) {
    while try write("sweeping", { try AirportSweeper.sweepEnded($0, limit: AirportLoad.batchCount) }) {}
  }
}
