import Foundation
import GRDB

/// Values of a row. Strict tables hold what their columns say; a damaged page may hold anything, and GRDB's own subscripts trap then.
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

  /// The text of a blob of UTF-8.
  func blob(_ index: Int) throws -> String {
    let value: DatabaseValue = self[index]
    return String(blob: try checked(Data.fromDatabaseValue(value), index))
  }

  private func checked<T>(_ value: T?, _ index: Int) throws -> T {
    guard let value else {
      let name = Array(columnNames)[index]
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row has no valid \(name)")
    }
    return value
  }
}
