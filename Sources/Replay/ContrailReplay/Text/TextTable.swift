/// A table of text. Columns are as wide as their widest entry and separated by two spaces. Lines have no trailing
/// spaces.
package struct TextTable {
  package enum Column {
    case left(String)
    case right(String)

    package var title: String {
      switch self {
      case .left(let title), .right(let title): title
      }
    }
  }

  private let columns: [Column]
  private var rows: [[String]]

  package init(_ columns: [Column]) {
    self.columns = columns
    rows = [columns.map { $0.title }]
  }

  /// Adds a row with one entry per column.
  package mutating func add(_ row: [String]) { rows.append(row) }

  /// The heading and the rows.
  package var lines: [String] {
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (index, column) in columns.enumerated() {
        let isLast = index == columns.count - 1
        switch column {
        case .left: line += isLast ? row[index] : row[index].padded(to: widths[index])
        case .right: line += row[index].leftPadded(to: widths[index])
        }
        if !isLast { line += "  " }
      }
      return line
    }
  }
}
