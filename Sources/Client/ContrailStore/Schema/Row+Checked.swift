import Foundation
import GRDB

/// Checked access to row values. A damaged page can contain values of any type, for which GRDB's subscripts trap.
extension Row {
  func integer(_ index: Int) throws -> Int64 { try checked(integerOrNull(index), index) }

  func integerOrNull(_ index: Int) throws -> Int64? {
    let value: DatabaseValue = self[index]
    if value.isNull { return nil }
    return try checked(Int64.fromDatabaseValue(value), index)
  }

  func text(_ index: Int) throws -> String { try checked(textOrNull(index), index) }

  func textOrNull(_ index: Int) throws -> String? {
    let value: DatabaseValue = self[index]
    if value.isNull { return nil }
    return try checked(String.fromDatabaseValue(value), index)
  }

  /// Returns a UTF-8 blob as text.
  func blob(_ index: Int) throws -> String { String(blob: try data(index)) }

  func data(_ index: Int) throws -> Data {
    let value: DatabaseValue = self[index]
    return try checked(Data.fromDatabaseValue(value), index)
  }

  private func checked<T>(_ value: T?, _ index: Int) throws -> T {
    guard let value else {
      let name = Array(columnNames)[index]
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row has no valid \(name)")
    }
    return value
  }
}
