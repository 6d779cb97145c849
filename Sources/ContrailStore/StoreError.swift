import GRDB

/// What went wrong with a store: which kind of fault, where, why, and what to do.
///
/// Texts never hold a record, a statement's values or anything secret, so that an error can be shown and sent on.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The system refused to make, open, move or change the file.
    case unopenable
    /// There is no file.
    case missing
    /// The file is a store whose tables were never finished, or are an older version's; for a reader only.
    case unfinished
    /// The file is a database, but no store.
    case notAStore
    /// The store was written by a newer version.
    case newerSchema
    /// The file is damaged, which was noticed after it had been opened.
    case damaged
    /// Another connection held the database for too long.
    case busy
    /// The disk is full.
    case full
    /// Reading or writing failed.
    case ioFailed
    /// The change doesn't fit what the store holds: it was made from another state.
    case outOfStep
    /// The query asks for an area that is none.
    case invalidQuery
    /// The store was closed.
    case closed
    /// The database refused for another reason.
    case refused
  }

  /// The kind of fault.
  public let code: Code
  /// The path of the database.
  public let file: String
  /// Why, in a clause without a full stop.
  public let reason: String
  /// SQLite's extended result code, where SQLite is at fault.
  public let sqliteCode: Int32?

  init(_ code: Code, file: String, reason: String, sqliteCode: Int32? = nil) {
    self.code = code
    self.file = file
    self.reason = reason
    self.sqliteCode = sqliteCode
  }

  /// Whether the same call may succeed later with nothing else changed but, say, room on the disk.
  public var isTransient: Bool {
    switch code {
    case .busy, .full, .ioFailed, .unopenable, .missing, .unfinished: true
    case .notAStore, .newerSchema, .damaged, .outOfStep, .invalidQuery, .closed, .refused: false
    }
  }

  /// What to do about it, in a sentence.
  public var advice: String {
    switch code {
    case .unopenable: "Check that the folder exists and that this process may write there."
    case .missing: "Check the path; the client makes the store when it first runs."
    case .unfinished: "Try again once this version's client has opened the store."
    case .notAStore: "Give the store a path of its own; this file was left as it is."
    case .newerSchema:
      "Open it with the version that wrote it or a newer one, or delete it: the log holds all that is in it."
    case .damaged: "Open it with the client: it sets the file aside and rebuilds the store from the log."
    case .busy: "Try again; let one process at a time use the directory."
    case .full: "Free space on the disk, then try again; nothing of this change was kept."
    case .ioFailed: "Try again; if it persists, delete the store: it is rebuilt from the log."
    case .outOfStep: "Catch up with the state; nothing of this change was kept."
    case .invalidQuery: "Give another area."
    case .closed: "Open the store again."
    case .refused: "Report it with its code; the log is not affected."
    }
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    let number = sqliteCode.map { " (SQLite \($0))" } ?? ""
    return "\(file): \(code.rawValue): \(reason)\(number). \(advice)"
  }
}

extension StoreError {
  static func foreign(_ file: String) -> StoreError {
    StoreError(.notAStore, file: file, reason: "it is a database of another program")
  }

  static func newer(_ file: String) -> StoreError {
    StoreError(.newerSchema, file: file, reason: "it has tables that this version doesn't know")
  }

  /// The error of a failure under ``ProjectionStore`` or ``ProjectionReader``, whatever threw it.
  init(_ error: any Error, file: String, doing: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError:
      self.init(
        Code(error.resultCode), file: file, reason: "\(doing) failed: \(error.message ?? "no reason given")",
        sqliteCode: error.extendedResultCode.rawValue)
    default: self.init(.unopenable, file: file, reason: "\(doing) failed: \(type(of: error))")
    }
  }
}

extension StoreError.Code {
  fileprivate init(_ result: ResultCode) {
    switch result {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    case .SQLITE_FULL: self = .full
    case .SQLITE_IOERR: self = .ioFailed
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH: self = .unopenable
    case .SQLITE_MISUSE: self = .closed
    default: self = .refused
    }
  }
}
