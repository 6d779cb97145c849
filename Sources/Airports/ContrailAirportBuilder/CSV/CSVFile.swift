import ContrailLog

/// A CSV file with column names in the first row.
struct CSVFile {
  let path: String

  /// The file name without its directory.
  var name: String { Self.name(of: path) }

  static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// Reads all rows.
  ///
  /// - Parameters:
  ///   - required: The required columns.
  ///   - isRow: A closure that is called with each row, in file order.
  ///   - isMalformed: A closure that is called with the line and the reason of each unreadable row.
  ///   - isTaken: A closure that is called with the number of bytes read from the file on disk.
  /// - Throws: ``AirportBuildError`` if the file can't be read or lacks a column. Unreadable rows don't throw.
  func read(
    requiring required: [String], isRow: (inout NamedRow) throws(InputError) -> Void,
    isMalformed: (_ line: Int, _ reason: String) -> Void, isTaken: (Int64) -> Void
  ) throws(AirportBuildError) {
    let source = try ByteSource(path: path)
    var reader = CSVReader()
    var heading: Heading?
    while true {
      let block = try source.next()
      if let block { reader.append(block) } else { reader.finish() }
      while let item = reader.next() {
        if let heading {
          take(item, heading, isRow, isMalformed)
        } else {
          heading = try self.heading(item, required)
        }
      }
      isTaken(source.takenBytes)
      if block == nil { break }
    }
    guard heading != nil else { throw AirportBuildError(.notTheTable, file: path, reason: "it is empty") }
  }

  private struct Heading {
    /// The index of each column name. The first of two equal names counts.
    let columns: [String: Int]
    let count: Int
  }

  private func heading(_ item: CSVReader.Item, _ required: [String]) throws(AirportBuildError) -> Heading {
    guard case .row(let row) = item else {
      throw AirportBuildError(.notTheTable, file: path, reason: "the first line isn't CSV")
    }
    let columns = Dictionary(zip(row.fields, 0..<row.count)) { first, _ in first }
    let missing = required.filter { columns[$0] == nil }
    guard missing.isEmpty else {
      throw AirportBuildError(
        .notTheTable, file: path, reason: "it has no column \(missing.joined(separator: ", "))")
    }
    return Heading(columns: columns, count: row.count)
  }

  private func take(
    _ item: CSVReader.Item, _ heading: Heading, _ isRow: (inout NamedRow) throws(InputError) -> Void,
    _ isMalformed: (Int, String) -> Void
  ) {
    switch item {
    case .malformed(let line, let fault): isMalformed(line, fault.description)
    case .row(let row) where row.isBlank: return
    case .row(let row):
      guard row.count == heading.count else {
        isMalformed(row.line, "the row has \(row.count) of \(heading.count) fields")
        return
      }
      var named = NamedRow(row: row, columns: heading.columns)
      do throws(InputError) {
        try isRow(&named)
      } catch {
        isMalformed(row.line, error.description)
      }
    }
  }
}
