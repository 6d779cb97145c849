public import ContrailCore

/// What a client tells of itself.
public enum ClientUpdate: Sendable, Hashable {
  /// The log is open.
  case opened
  /// A scope holds data from an earlier launch.
  case stored(ScopeID)
  /// An answer has brought a scope records that it didn't hold. Of the outbox: reports were tracked or confirmed. Of airports: another
  /// cycle is in use.
  case data(ScopeID)
  /// An answer has confirmed what a scope holds: nothing is new.
  case confirmed(ScopeID)
  /// Another part of what a scope holds is wanted and shown at once: nothing has been fetched.
  case filtered(ScopeID)
  /// Something that a scope shows has become too old to be shown. Of weather: what is held has expired and is shown all the same.
  case expired(ScopeID)
  /// Data can't be fetched, the log or the database can't be written, or a part of the query is invalid. Told once until it ends.
  case failed(ClientError)
  /// Requests of a scope succeed again after ``failed(_:)``, or the scope is no longer wanted; nil: the log can be written again.
  case recovered(ScopeID?)
  /// A scope's ``ScopeStatus`` has changed.
  case status(ScopeID)
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
