import ContrailTestSupport
import Foundation

/// A source file of the package, as the tests of tidiness read it.
struct SourceFile {
  /// The path from the package's root.
  let path: String
  /// The lines without comments, and with strings emptied. Of tests it is not asked.
  let code: [String]
  /// The names that the code holds.
  private let names: Set<String>
  /// The lines as they stand.
  let lines: [String]

  /// The folder of the target, below the room.
  var target: String { String(path.split(separator: "/").dropFirst(2).first ?? "") }
  var name: String { String(path.split(separator: "/").last ?? "") }

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = path.hasPrefix("Sources/") ? Self.code(lines) : []
    names = Set(
      code.flatMap { $0.utf8.split { !Self.isName($0) }.map { String($0) ?? "" } })
  }

  /// Every Swift file below `Sources`.
  static let sources = Result { try all(below: "Sources") }
  /// Every Swift file below `Tests`.
  static let tests = Result { try all(below: "Tests") }

  private static func all(below folder: String) throws -> [SourceFile] {
    let folderURL = PackageFolder.file(folder).resolvingSymlinksInPath()
    guard let files = FileManager.default.enumerator(at: folderURL, includingPropertiesForKeys: nil) else { return [] }
    var result: [SourceFile] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let path = file.resolvingSymlinksInPath().path.dropFirst(folderURL.path.count)
      result.append(SourceFile(path: folder + path, text: try String(contentsOf: file, encoding: .utf8)))
    }
    return result.sorted { $0.path < $1.path }
  }

  /// The lines with comments cut off and what stands in strings taken out; what is interpolated goes too.
  static func code(_ lines: [String]) -> [String] {
    var isLong = false
    var isComment = false
    return lines.map { line in
      if !isLong, !isComment, !line.utf8.contains(UInt8(ascii: "\"")), !line.utf8.contains(UInt8(ascii: "/")) {
        return line
      }
      var code = ""
      var rest = Substring(line)
      var isString = false
      while let character = rest.first {
        if isComment {
          isComment = !rest.hasPrefix("*/")
          rest = rest.dropFirst(isComment ? 1 : 2)
        } else if rest.hasPrefix("\"\"\"") {
          isLong.toggle()
          code += "\"\"\""
          rest = rest.dropFirst(3)
        } else if isLong {
          rest = rest.dropFirst()
        } else if isString {
          if character == "\\" { rest = rest.dropFirst() }
          if character == "\"" {
            isString = false
            code.append("\"")
          }
          rest = rest.dropFirst()
        } else if rest.hasPrefix("//") {
          return code
        } else if rest.hasPrefix("/*") {
          isComment = true
          rest = rest.dropFirst(2)
        } else {
          isString = character == "\""
          code.append(character)
          rest = rest.dropFirst()
        }
      }
      return code
    }
  }

  /// The numbers of the lines whose code holds a word: not a part of a longer name, and for a free function not a member of something
  /// or one that the file declares itself.
  func lines(with word: Ban.Word) -> [Int] {
    let name = word.text.utf8.split { !Self.isName($0) }.first.map { String($0) ?? "" }
    guard names.contains(name ?? "") else { return [] }
    guard !(word.isFree && code.contains { $0.contains("func \(word.text)") }) else { return [] }
    return code.indices.filter { index in
      code[index].ranges(of: word.text).contains { range in
        let before = code[index][..<range.lowerBound].utf8.last
        let after = code[index][range.upperBound...].utf8.first
        if let first = word.text.utf8.first, Self.isName(first), before.map(Self.isName) ?? false { return false }
        if let last = word.text.utf8.last, Self.isName(last), after.map(Self.isName) ?? false { return false }
        return !(word.isFree && before == UInt8(ascii: "."))
      }
    }.map { $0 + 1 }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// The modules that it imports.
  var imports: Set<String> {
    Set(
      code.compactMap { line in
        guard line.contains("import ") else { return nil }
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
          words[..<index].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0) })
        else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "typealias"]
        let isKind = kinds.contains(words[index + 1]) && index + 2 < words.count
        return words[isKind ? index + 2 : index + 1].split(separator: ".").first.map(String.init)
      })
  }
}
