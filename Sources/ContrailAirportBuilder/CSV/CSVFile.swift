/// A CSV file whose first row names its columns.
struct CSVFile {
  let path: String

  /// The name without the folders before it.
  var name: String { Self.name(of: path) }

  static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// Reads all rows.
  ///
  /// - Parameters:
  ///   - required: The columns that there must be.
  ///   - isRow: Takes a row, in the order of the file.
  ///   - isMalformed: Takes the line of a row that can't be read, and why.
  ///   - isTaken: Is told how many bytes of the file on disk have been taken.
  /// - Throws: ``AirportBuildError`` where the file as a whole can't be read or lacks a column; never for a row.
  func read(
    requiring required: [String], isRow: (inout NamedRow) throws(RowFault) -> Void,
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
    /// Where each column is; of two of one name the first.
    let columns: [String: Int]
    let count: Int
  }

  private func heading(_ item: CSVReader.Item, _ required: [String]) throws(AirportBuildError) -> Heading {
    guard case .row(let row) = item else {
      throw AirportBuildError(.notTheTable, file: path, reason: "its first line isn't CSV")
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
    _ item: CSVReader.Item, _ heading: Heading, _ isRow: (inout NamedRow) throws(RowFault) -> Void,
    _ isMalformed: (Int, String) -> Void
  ) {
    switch item {
    case .malformed(let line, let fault): isMalformed(line, fault.description)
    case .row(let row) where row.isBlank: return
    case .row(let row):
      guard row.count == heading.count else {
        isMalformed(row.line, "it has \(row.count) of \(heading.count) fields")
        return
      }
      var named = NamedRow(row: row, columns: heading.columns)
      do throws(RowFault) {
        try isRow(&named)
      } catch {
        isMalformed(row.line, error.description)
      }
    }
  }
}
