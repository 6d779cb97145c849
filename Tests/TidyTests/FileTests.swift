import Testing

/// A file is one concept, named after it.
@Suite struct FileTests {
  private static let maximumLines = 450

  /// Files that are longer, and why.
  private static let justified: [String: String] = [
    "Tests/ContrailCoreTests/RuleTests.swift": "one test a rule, read from top to bottom beside the table of rules",
    "Tests/ContrailGeodesyTests/Tables/Tables+Inverse.swift": "a table of an oracle's answers",
    "Tests/ContrailH3Tests/LibH3Table.swift": "a table of an oracle's answers",
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
}
