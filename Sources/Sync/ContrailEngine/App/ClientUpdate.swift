public import ContrailCore

/// A change that a client reports.
public enum ClientUpdate: Sendable, Hashable {
  /// The log is open.
  case opened
  /// A scope has data from an earlier launch.
  case stored(ScopeID)
  /// A response contained new records of a scope. For the outbox: reports were stored or confirmed. For airports: another cycle is in
  /// use.
  case data(ScopeID)
  /// A response confirmed the data of a scope: nothing is new.
  case confirmed(ScopeID)
  /// A change of the query shows another part of a scope's data. Nothing was fetched.
  case filtered(ScopeID)
  /// Data of a scope have expired and are no longer shown. Expired weather is still shown.
  case expired(ScopeID)
  /// Data can't be fetched, the log or the database can't be written, the query is invalid, or the service refuses an own report or keeps
  /// own reports from others. Reported once until it ends.
  case failed(ClientError)
  /// A reported failure has ended, or the scope is no longer wanted. Nil if the log can be written, or signed, again, or the provider of
  /// credentials has answered.
  case recovered(ScopeID?)
  /// A scope's ``ScopeStatus`` has changed.
  case status(ScopeID)
  /// Another part of the data is dropped to save bytes, or nothing any more.
  case saving(DataSaving)
  /// The database beside the log was rebuilt from the log.
  case rebuilt(StoreRebuild)
  /// The database of airports was rebuilt from the files in the log.
  case airportsRebuilt(StoreRebuild)
}

extension ClientUpdate {
  /// Whether the result of a query may be another after it.
  package var concernsQueries: Bool {
    switch self {
    case .opened, .stored, .data, .confirmed, .filtered, .expired: true
    case .failed(let error): error.code == .reportRefused || error.code == .reportHeldBack
    case .status(let scope): scope == .outbox
    case .recovered, .rebuilt, .airportsRebuilt, .saving: false
    }
  }
}

/// The reason why a database was rebuilt. No data was lost, because the log contains all of them.
public enum StoreRebuild: Sendable, Hashable, CustomStringConvertible {
  /// There was no database.
  case missing
  /// The database was damaged. It was moved, and a new one was created.
  case damaged(movedTo: String, reason: String)
  /// The database belonged to another log, or to lines that this log no longer contains.
  case fromAnotherLog

  public var description: String {
    switch self {
    case .missing: "There was no database. It was rebuilt from the log."
    case .damaged(let path, let reason):
      "The database was damaged (\(reason)) and was rebuilt from the log. The damaged one was moved to \(path)."
    case .fromAnotherLog: "The database belonged to another log. It was rebuilt from this one."
    }
  }
}
