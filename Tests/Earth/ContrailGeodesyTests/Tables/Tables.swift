/// Answers of PyPI's geographiclib, one a line; the script that makes them is `Scripts/oracles/geodesy_tables.py`.
enum Tables {
  /// The numbers of each line.
  static func rows(_ table: String) -> [[Double]] {
    table.split(separator: "\n").map { line in line.split(separator: " ").compactMap { Double($0) } }
  }
}
