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

  /// The heading and the rows, at most ``Words/pageWidth`` wide.
  ///
  /// A wider table is divided by columns into several below each other. Each has the leading columns that are left-aligned.
  package var lines: [String] {
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return parts(widths).enumerated().flatMap { index, part in
      (index == 0 ? [] : [""]) + rows.map { line($0, part, widths) }
    }
  }

  private func line(_ row: [String], _ part: [Int], _ widths: [Int]) -> String {
    var line = ""
    for column in part {
      let isLast = column == part.last
      switch columns[column] {
      case .left: line += isLast ? row[column] : row[column].padded(to: widths[column])
      case .right: line += row[column].leftPadded(to: widths[column])
      }
      if !isLast { line += "  " }
    }
    return line
  }

  /// Returns the columns of each part.
  private func parts(_ widths: [Int]) -> [[Int]] {
    func width(_ part: [Int]) -> Int { part.reduce(0) { $0 + widths[$1] + 2 } - 2 }
    guard width(Array(columns.indices)) > Words.pageWidth else { return [Array(columns.indices)] }
    var names = Array(columns.prefix { if case .left = $0 { true } else { false } }.indices)
    while names.count > 1, width(names) > Words.pageWidth / 2 { names.removeLast() }
    var parts: [[Int]] = []
    var part = names
    for column in columns.indices.dropFirst(names.count) {
      if part.count > names.count, width(part + [column]) > Words.pageWidth {
        parts.append(part)
        part = names
      }
      part.append(column)
    }
    return parts + [part]
  }
}
