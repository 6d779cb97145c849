package import ContrailLog
import ContrailReplay

/// The table of recordings in the README of their folder.
package enum RecordingsReadme {
  /// Returns the README with a row for a recording, in the order of the names; nil if it has no table of recordings.
  ///
  /// An existing row of the recording is replaced.
  package static func adding(_ name: String, shows text: String, to readme: String) -> String? {
    var lines = readme.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let head = lines.firstIndex(where: { $0.hasPrefix("| recording |") }), head + 1 < lines.count else {
      return nil
    }
    let words = text.split(whereSeparator: \.isNewline).joined(separator: " ").split(separator: "|").joined(
      separator: "/")
    let row = "| `\(name)` | \(words) |"
    var end = head + 2
    while end < lines.count, lines[end].hasPrefix("|") { end += 1 }
    if let same = lines[(head + 2)..<end].firstIndex(where: { $0.hasPrefix("| `\(name)` |") }) {
      lines[same] = row
    } else {
      let place = lines[(head + 2)..<end].firstIndex { $0 > row } ?? end
      lines.insert(row, at: place)
    }
    return lines.joined(separator: "\n")
  }

  /// Adds a row to the README in a folder of recordings.
  ///
  /// - Returns: Whether there is a README with such a table.
  /// - Throws: ``LogError`` if the README can't be read or written.
  package static func add(_ name: String, shows text: String, inFolder folder: String) throws(LogError) -> Bool {
    let path = folder + "/README.md"
    let bytes: [UInt8]
    do throws(StorageError) {
      guard try POSIXStorage().kind(of: path) == .file else { return false }
      bytes = try POSIXStorage().contents(of: path)
    } catch {
      throw LogError(.unreadable, file: path, reason: "\(error.operation) failed: \(error.message)")
    }
    guard let readme = adding(name, shows: text, to: String(decoding: bytes, as: UTF8.self)) else { return false }
    try StagedOutput.write(Array(readme.utf8), to: path, replacing: .anyFile)
    return true
  }
}
