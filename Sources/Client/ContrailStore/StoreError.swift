import GRDB

/// An error of a store, with its code, file, reason and advice.
///
/// The texts never contain records, statement values or secrets, so an error can be shown and transmitted.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The system refused to create, open, move or change the file.
    case unopenable
    /// The file doesn't exist.
    case missing
    /// The file is a store with incomplete or older tables. Only readers throw this error.
    case unfinished
    /// The file is a database, but not a store.
    case notAStore
    /// A newer version wrote the store.
    case newerSchema
    /// The file is damaged.
    case damaged
    /// Another connection locked the database for too long.
    case busy
    /// The disk is full.
    case full
    /// Reading or writing failed.
    case ioFailed
    /// The change doesn't start from the contents of the store.
    case outOfStep
    /// The area of the query is invalid.
    case invalidQuery
    /// The store is closed.
    case closed
    /// The database failed for another reason.
    case refused
  }

  /// The kind of error.
  public let code: Code
  /// The path of the database.
  public let file: String
  /// The reason, as a clause without a full stop.
  public let reason: String
  /// The extended result code of SQLite, if SQLite failed.
  public let sqliteCode: Int32?

  init(_ code: Code, file: String, reason: String, sqliteCode: Int32? = nil) {
    self.code = code
    self.file = file
    self.reason = reason
    self.sqliteCode = sqliteCode
  }

  /// Whether the same call can succeed later, for example after space on the disk was freed.
  public var isTransient: Bool {
    switch code {
    case .busy, .full, .ioFailed, .unopenable, .missing, .unfinished: true
    case .notAStore, .newerSchema, .damaged, .outOfStep, .invalidQuery, .closed, .refused: false
    }
  }

  /// The suggested action, as a sentence.
  public var advice: String {
    switch code {
    case .unopenable: "Check that the folder exists and that this process can write to it."
    case .missing: "Check the path. The client creates the store when it first runs."
    case .unfinished: "Try again after the client of this version has opened the store."
    case .notAStore: "Use another path for the store. This file wasn't changed."
    case .newerSchema:
      "Open it with the version that wrote it or a newer one, or delete it. The log contains all its data."
    case .damaged: "Open it with the client, which moves the file aside and rebuilds the store from the log."
    case .busy: "Try again. Only one process at a time may write to the directory."
    case .full: "Free space on the disk, then try again. The change wasn't written."
    case .ioFailed: "Try again. If the error persists, delete the store. It is rebuilt from the log."
    case .outOfStep: "Catch up with the state. The change wasn't written."
    case .invalidQuery: "Correct the area of the query."
    case .closed: "Open the store again."
    case .refused: "Report a bug with the error code. The log isn't affected."
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
    StoreError(.notAStore, file: file, reason: "it is the database of another program")
  }

  static func newer(_ file: String) -> StoreError {
    StoreError(.newerSchema, file: file, reason: "it has tables that this version doesn't know")
  }

  /// Converts any error that ``ProjectionStore`` or ``ProjectionReader`` encounters.
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
