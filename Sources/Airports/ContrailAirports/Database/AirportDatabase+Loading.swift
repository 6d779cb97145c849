public import ContrailAirportData
import GRDB

extension AirportDatabase {
  /// Begins to load a cycle, or resumes an interrupted load of the same file.
  ///
  /// - Parameters:
  ///   - reader: The airports.
  ///   - fingerprint: An identifier of the file, such as its SHA-256.
  /// - Returns: The load.
  /// - Throws: ``AirportLoaderError/store(_:)``.
  /// - Complexity: O(*n*) in the airports held.
  public func beginLoad(of reader: AirportReader, fingerprint: String) throws(AirportLoaderError) -> AirportLoad {
    try AirportLoad(self, reader, fingerprint: fingerprint)
  }

  /// Loads a complete cycle, and activates it if it is effective.
  ///
  /// - Parameters:
  ///   - reader: The airports.
  ///   - fingerprint: An identifier of the file, such as its SHA-256.
  ///   - time: The current time in seconds since 1970.
  /// - Returns: The differences from the cycle in use.
  /// - Throws: ``AirportLoaderError``. The cycle in use then stays in use. Failing to delete the rows of the old cycle isn't
  ///   an error.
  @discardableResult
  public func load(
    _ reader: AirportReader, fingerprint: String, at time: Int64 = AirportLoader.deviceTime()
  ) throws(AirportLoaderError) -> AirportChanges {
    var load = try beginLoad(of: reader, fingerprint: fingerprint)
    while try load.step() {}
    do throws(AirportStoreError) {
      try activatePending(at: time)
    } catch {
      throw .store(error)
    }
    // The new cycle is in use without it, for example on a full disk. The next load sweeps before it begins.
    try? sweep()
    return load.changes
  }

  /// Activates the pending cycle in one transaction, if it is effective.
  ///
  /// - Parameter time: The current time in seconds since 1970.
  /// - Returns: The activated cycle, or `nil` if no cycle was due.
  /// - Throws: ``AirportStoreError``.
  @discardableResult
  public func activatePending(
    at time: Int64 = AirportLoader.deviceTime()
  ) throws(AirportStoreError) -> LoadedCycle? {
    try write("activating a cycle") { db in
      let next = try Self.generation(db) + 1
      guard let (loaded, stage) = try LoadedCycle.fetch(db, generation: next), stage == .complete,
        loaded.cycle.effectiveTime <= time
      else { return nil }
      try db.execute(sql: "UPDATE airportState SET generation = ?", arguments: [next])
      return loaded
    }
  }

  /// Deletes rows that are no longer in use. Each load also does this before it begins.
  public func sweep() throws(AirportStoreError) {
    while try write("deleting old rows", { try AirportSweeper.sweepEnded($0, limit: AirportLoad.batchCount) }) {}
  }
}
