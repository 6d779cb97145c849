import ContrailTestSupport
import Foundation
import Testing

/// The snippets of the documentation are those that `Snippets.swift` compiles.
@Suite struct GuideTests {
  private static let guides = [
    "FromTheTurbulenceSDK", "FromTheMapSDK", "FromTheWeatherClient", "FromTheAirportLoader",
  ].map { "Sources/Client/Contrail/Contrail.docc/\($0).md" }

  @Test func everySnippetOfTheDocumentationIsCompiled() throws {
    let compiled = try Compiled()
    let documents =
      try ["Contrail", "ContrailStore", "ContrailSupport", "ContrailTesting"].map { "Sources/Client/\($0)" }.flatMap {
        try Repository.files(below: $0, with: ["md", "swift"])
      } + ["README.md"]
    var count = 0
    for path in documents {
      for snippet in Snippet.all(in: try Repository.text(of: path)) where snippet.language == "swift" {
        count += 1
        #expect(compiled.contains(snippet), "\(path):\(snippet.line): this snippet isn't in Tests/Client/GuideTests")
      }
    }
    #expect(count > 40, "the documentation wasn't found")
  }

  @Test(arguments: guides) func aGuideShowsBothSides(_ path: String) throws {
    let snippets = Snippet.all(in: try Repository.text(of: path))
    #expect(snippets.contains { $0.language == "text" }, "no snippet of the other side")
    #expect(snippets.contains { $0.language == "swift" }, "no snippet of ours")
    for snippet in snippets where !["swift", "text"].contains(snippet.language) {
      Issue.record("\(path):\(snippet.line): mark it as 'swift' if it is ours, and as 'text' if it isn't")
    }
  }

  @Test(arguments: guides) func aGuideIsLinked(_ path: String) throws {
    let overview = try Repository.text(of: "Sources/Client/Contrail/Contrail.docc/Contrail.md")
    let name = try #require(path.split(separator: "/").last?.dropLast(3))
    #expect(overview.contains("- <doc:\(name)>"))
  }

  // MARK: The tests' own test

  @Test func snippetsAreFoundInArticlesAndInDocComments() {
    let article = Snippet.all(in: "a\n```swift\nlet a = 1\n\n```\nb\n```text\nthere\n```\n")
    #expect(article.map(\.language) == ["swift", "text"] && article.map(\.line) == [2, 7])
    #expect(article.first?.code == "let a = 1\n")
    let comment = Snippet.all(in: "  /// ```swift\n  /// call()\n  /// ```\n  func call() {}\n")
    #expect(comment == [Snippet(language: "swift", line: 1, code: "call()")])
  }

  @Test func aSnippetIsComparedWithoutWhiteSpaceAndImports() {
    let compiled = Compiled(text: "import Contrail\nfunc f() {\n  let a =\n    [1, 2]\n}\n")
    #expect(compiled.contains(Snippet(language: "swift", line: 1, code: "import Contrail\n\nlet a = [1, 2]")))
    #expect(!compiled.contains(Snippet(language: "swift", line: 1, code: "import ContrailCore\nlet a = [1, 2]")))
    #expect(!compiled.contains(Snippet(language: "swift", line: 1, code: "let a = [1, 3]")))
    #expect(!compiled.contains(Snippet(language: "swift", line: 1, code: "")))
  }
}

/// A block of code in a document.
private struct Snippet: Equatable {
  /// The word after the opening fence.
  var language: String
  /// The line of the opening fence.
  var line: Int
  var code: String

  /// Returns the blocks of an article, or of the doc comments of a source file.
  static func all(in text: String) -> [Snippet] {
    var snippets: [Snippet] = []
    var open: (language: String, line: Int, lines: [String])?
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var line = raw.drop { $0 == " " }
      if line.hasPrefix("///") { line = line.dropFirst(3).drop { $0 == " " } }
      if line.hasPrefix("```") {
        if let block = open {
          snippets.append(
            Snippet(language: block.language, line: block.line, code: block.lines.joined(separator: "\n")))
          open = nil
        } else {
          open = (String(line.dropFirst(3)), index + 1, [])
        }
      } else {
        open?.lines.append(String(line))
      }
    }
    return snippets
  }
}

/// The sources beside this file, without white space.
private struct Compiled {
  private let imports: Set<String>
  private let code: String

  init() throws {
    let files = try Repository.files(below: "Tests/Client/GuideTests", with: ["swift"]).filter {
      $0.hasSuffix("Snippets.swift")
    }
    self.init(text: try files.map(Repository.text).joined(separator: "\n"))
  }

  init(text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    imports = Set(lines.filter { $0.hasPrefix("import ") })
    code = text.filter { !$0.isWhitespace }
  }

  /// Whether the snippet stands in the sources, and they import what it imports.
  func contains(_ snippet: Snippet) -> Bool {
    let lines = snippet.code.split(separator: "\n").map(String.init)
    let (imported, rest) = (lines.filter { $0.hasPrefix("import ") }, lines.filter { !$0.hasPrefix("import ") })
    let code = rest.joined().filter { !$0.isWhitespace }
    return !code.isEmpty && self.code.contains(code) && imports.isSuperset(of: imported)
  }
}

/// The files of the package.
private enum Repository {
  static func text(of path: String) throws -> String { try PackageFolder.text(of: path) }

  /// Returns the paths of the files below a folder, from the package's root.
  static func files(below folder: String, with extensions: Set<String>) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: PackageFolder.file(folder).path)
    return names.filter { extensions.contains(URL(filePath: $0).pathExtension) }.sorted().map { "\(folder)/\($0)" }
  }
}
