import ContrailTestSupport
import Foundation
import Testing

/// The table of promises names tests, generators and files that exist.
@Suite struct PromiseTests {
  @Test func everyTestOfATableOfPromisesExists() throws {
    var count = 0
    for row in try PackageFolder.text(of: "Tests/promises.md").split(separator: "\n") where row.hasPrefix("| ") {
      let columns = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard columns.count == 3, columns[0] != "promise" else { continue }
      count += 1
      let (tests, generators) = (Names(in: columns[2]), Names(in: columns[1]))
      #expect(!tests.files.isEmpty && !tests.words.isEmpty, "\(columns[0]): no test")
      for (words, files) in [(tests.words.map { "func \($0)(" }, tests.files), (generators.words, generators.files)] {
        let texts = try files.map { try PackageFolder.text(of: $0) }
        for word in words {
          #expect(texts.contains { $0.contains(word) }, "\(columns[0]): '\(word)' isn't in \(files)")
        }
      }
    }
    #expect(count > 40, "the tables weren't found")
  }

  /// The names in a column of the table.
  private struct Names {
    /// The paths of files, from the package's folder.
    var files: [String] = []
    /// What the files must contain.
    var words: [String] = []

    init(in column: String) {
      for name in column.matches(of: /`([^`]+)`/).map({ String($0.1) }) {
        if name.hasPrefix("Scripts/") {
          files.append(name)
        } else if name.contains("/") {
          files.append("Tests/\(name)")
        } else {
          words.append(name)
        }
      }
    }
  }
}
