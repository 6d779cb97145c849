import ContrailAirportData
import GRDB

/// What went wrong with a database of airports: which kind of fault, where, why, and what to do.
public struct AirportStoreError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The system refused to make, open, move or change the file.
    case unopenable
    /// The file is a database, but another program's.
    case notAirports
    /// The database was written by a newer version.
    case newerSchema
    /// The database is damaged.
    case damaged
    /// Another connection held the database for too long.
    case busy
    /// The disk is full.
    case full
    /// Reading or writing failed.
    case ioFailed
    /// The database was closed.
    case closed
    /// The database refused for another reason.
    case refused
  }

  /// The kind of fault.
  public let code: Code
  /// The path of the database, or what stands for it.
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

  /// Whether the same call may succeed later with nothing else changed but, say, room on the disk.
  public var isTransient: Bool {
    switch code {
    case .busy, .full, .ioFailed, .unopenable: true
    case .notAirports, .newerSchema, .damaged, .closed, .refused: false
    }
  }

  /// What to do about it, in a sentence.
  public var advice: String {
    switch code {
    case .unopenable: "Check that the folder exists and that this process may write there."
    case .notAirports: "Choose another path."
    case .newerSchema: "Update this program, or delete the file and load the airports again."
    case .damaged: "Delete the file and load the airports again."
    case .busy: "Try again; if it stays, see which process has the file open."
    case .full: "Make room on the disk and try again."
    case .ioFailed: "Check the disk."
    case .closed: "Open the database again."
    case .refused: "Report this: it should not happen."
    }
  }
}

extension AirportStoreError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(file): \(reason). \(advice)" }
}
