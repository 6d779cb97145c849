import ContrailAirportData
import GRDB

/// An error of an airport database, with its code, file, reason and advice.
public struct AirportStoreError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The system refused to create, open, move or change the file.
    case unopenable
    /// The file is the database of another program.
    case notAirports
    /// A newer version wrote the database.
    case newerSchema
    /// The database is damaged.
    case damaged
    /// Another connection locked the database for too long.
    case busy
    /// The disk is full.
    case full
    /// Reading or writing failed.
    case ioFailed
    /// The database is closed.
    case closed
    /// The database failed for another reason.
    case refused
  }

  /// The kind of error.
  public let code: Code
  /// The path of the database, or a description of it.
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

  init(_ error: any Error, file: String, doing what: String) {
    if let known = error as? AirportStoreError {
      self = known
      return
    }
    guard let fault = error as? DatabaseError else {
      self.init(.refused, file: file, reason: "\(what) failed: \(error)")
      return
    }
    let code: Code =
      switch fault.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_FULL: .full
      case .SQLITE_IOERR: .ioFailed
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: .unopenable
      case .SQLITE_MISUSE: .closed
      default: .refused
      }
    self.init(
      code, file: file, reason: "\(what) failed: \(fault.message ?? "no reason given")",
      sqliteCode: fault.extendedResultCode.rawValue)
  }

  /// Whether the same call can succeed later, for example after space on the disk was freed.
  public var isTransient: Bool {
    switch code {
    case .busy, .full, .ioFailed, .unopenable: true
    case .notAirports, .newerSchema, .damaged, .closed, .refused: false
    }
  }

  /// The suggested action, as a sentence.
  public var advice: String {
    switch code {
    case .unopenable: "Check that the folder exists and that this process can write to it."
    case .notAirports: "Choose another path."
    case .newerSchema: "Update this program, or delete the file and load the airports again."
    case .damaged: "Delete the file and load the airports again."
    case .busy: "Try again. If the error persists, check which process has the file open."
    case .full: "Free space on the disk and try again."
    case .ioFailed: "Check the disk."
    case .closed: "Open the database again."
    case .refused: "Report a bug with the error code."
    }
  }
}

extension AirportStoreError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(file): \(reason). \(advice)" }
}
