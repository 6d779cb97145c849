import Testing

/// A file is one concept, named after it.
@Suite struct FileTests {
  private static let maximumLines = 450

  /// Files that are longer, and why.
  private static let justified: [String: String] = [
    "Tests/Sync/ContrailCoreTests/RuleTests.swift":
      "one test a rule, read from top to bottom beside the table of rules",
    "Tests/Earth/ContrailGeodesyTests/Tables/Tables+Inverse.swift": "a table of an oracle's answers",
    "Tests/Client/ContrailQueryTests/ProfileTable.swift": "a table of an oracle's answers",
    "Tests/Earth/ContrailH3Tests/LibH3Table.swift": "a table of an oracle's answers",
  ]

  @Test func noFileIsLongWithoutAReason() throws {
    let files = try SourceFile.sources.get() + SourceFile.tests.get()
    for file in files where file.lines.count > Self.maximumLines && Self.justified[file.path] == nil {
      Issue.record(
        "\(file.path) has \(file.lines.count) lines: is it still one concept? Divide it, or say why not here")
    }
    for path in Self.justified.keys {
      let count = files.first { $0.path == path }?.lines.count ?? 0
      #expect(count > Self.maximumLines, "\(path) has \(count) lines and needs no reason any more")
    }
  }

  /// Indented lines of a help text are examples to copy and tables. The terminal would break longer ones anywhere.
  @Test func noIndentedLineOfAHelpTextIsWrapped() throws {
    for file in try SourceFile.sources.get() {
      for (number, line) in Self.helpLines(of: file) where line.hasPrefix(" ") && !line.contains("\\(") {
        #expect(line.count <= 79, "\(file.path):\(number) has \(line.count) columns: divide it, with \\\\ in a command")
      }
    }
  }

  /// The lines that the help texts of a file print, each with the number of its last line in the file.
  private static func helpLines(of file: SourceFile) -> [(number: Int, text: String)] {
    var result: [(number: Int, text: String)] = []
    var rest = file.lines.indices[...]
    while let start = rest.first(where: { file.lines[$0].hasSuffix("discussion: \"\"\"") }),
      let end = rest.first(where: { $0 > start && file.lines[$0].drop { $0 == " " }.hasPrefix("\"\"\"") })
    {
      let indent = file.lines[end].prefix { $0 == " " }.count
      var text = ""
      for index in start + 1..<end {
        text += file.lines[index].dropFirst(indent)
        if text.hasSuffix("\\"), !text.hasSuffix("\\\\") {
          text.removeLast()
          continue
        }
        // A backslash is written as two.
        result.append((index + 1, text.replacing("\\\\", with: "\\")))
        text = ""
      }
      rest = rest[(end + 1)...]
    }
    return result
  }
}
