public import ContrailCore

/// What a client tells of itself.
public enum ClientUpdate: Sendable {
  /// The log is open: what the last launch left is there.
  case opened
  /// The records of a scope are new: what the disk held, or what an answer brought. Of the outbox: some were tracked or confirmed.
  /// Of weather: also that it has expired.
  case data(ScopeID)
  /// Another part is wanted of what a scope holds: it is shown at once, nothing new has come.
  case filtered(ScopeID)
  /// Data could not be fetched, or a part of the query was no area.
  case failed(ClientError)
  /// The database beside the log was made anew from the log.
  case rebuilt(StoreRebuild)
  /// The database of airports was made anew from the files that the log keeps.
  case airportsRebuilt(StoreRebuild)
}

/// Why the database was made anew. Nothing was lost: the log holds all that is in it.
public enum StoreRebuild: Sendable, Hashable, CustomStringConvertible {
  /// There was none.
  case missing
  /// It was damaged; what is left of it lies beside it.
  case damaged(movedTo: String, reason: String)
  /// It was made from another log, or from lines that this one no longer has.
  case fromAnotherLog

  public var description: String {
    switch self {
    case .missing: "There was no database; it was made anew from the log."
    case .damaged(let path, let reason):
      "The database was damaged (\(reason)) and was made anew from the log; the damaged one is now \(path)."
    case .fromAnotherLog: "The database didn't belong to the log and was made anew from it."
    }
  }
}
