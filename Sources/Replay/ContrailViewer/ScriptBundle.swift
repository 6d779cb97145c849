/// The modules of the page as one script, which a Content-Security-Policy can allow by its hash.
///
/// Each module becomes a function that returns its exports, called once, after the modules that it imports:
///
/// ```js
/// const m0 = (() => { const sum = (a, b) => a + b; return { sum }; })();
/// const m1 = (() => { const { sum: add } = m0; … return {}; })();
/// ```
///
/// This needs no parser, because the modules keep to a few forms, each at the start of a line: `import { a, b as c } from
/// "./file.js";`, which may continue over lines, the same with `export` instead of `import`, and `export` before `function`,
/// `async function`, `class` or `const`. Every other form is refused. Comments that take whole lines are omitted.
package struct ScriptBundle: Sendable {
  /// The script.
  package let text: String
  /// The modules in the order in which they run.
  package let modules: [String]

  /// Bundles a module and all that it imports.
  ///
  /// - Parameter isModule: Whether the script is a module too, with the exports of the entry.
  /// - Throws: ``PageError``: a module is missing, imports in a circle, or has another form.
  package init(entry: String, files: PageFiles, isModule: Bool = false) throws(PageError) {
    var order = Order(files: files)
    try order.add(entry, importedBy: [])
    var lines = ["\"use strict\";"]
    for (index, module) in order.modules.enumerated() {
      lines.append("const m\(index) = (() => {")
      for imported in module.imports {
        guard let target = order.modules.firstIndex(where: { $0.name == imported.module }) else { continue }
        lines.append("const { \(imported.names.joined(separator: ", ")) } = m\(target);")
      }
      lines += module.lines
      lines.append("return { \(module.exports.joined(separator: ", ")) };")
      lines.append("})();")
    }
    if isModule, let last = order.modules.last {
      lines.append("export const { \(last.exports.joined(separator: ", ")) } = m\(order.modules.count - 1);")
    }
    text = lines.joined(separator: "\n") + "\n"
    modules = order.modules.map(\.name)
    // These would end the element, or begin a comment, in which a browser looks for the end elsewhere.
    let lowercase = text.lowercased()
    for ending in ["</script", "<script", "<!--"] where lowercase.contains(ending) {
      throw PageError(.unsupportedModule, file: entry, reason: "the script contains '\(ending)'")
    }
  }

  private struct Order {
    let files: PageFiles
    var modules: [Module] = []

    /// Adds a module after its imports.
    mutating func add(_ name: String, importedBy path: [String]) throws(PageError) {
      if modules.contains(where: { $0.name == name }) { return }
      guard !path.contains(name) else {
        throw PageError(
          .unsupportedModule, file: name, reason: "it imports itself: \((path + [name]).joined(separator: " → "))")
      }
      let module = try Module(name, text: try files.text(name))
      for imported in module.imports { try add(imported.module, importedBy: path + [name]) }
      modules.append(module)
    }
  }

  private struct Module {
    let name: String
    var imports: [(module: String, names: [String])] = []
    var exports: [String] = []
    var lines: [String] = []

    init(_ name: String, text: String) throws(PageError) {
      self.name = name
      var reader = LineReader(text)
      while let (line, number, isCode) = reader.next() {
        func refuse(_ reason: String) -> PageError {
          PageError(.unsupportedModule, file: name, line: number, reason: reason)
        }
        let isPassedOn = isCode && (line.hasPrefix("export {") || line.hasPrefix("export{"))
        if isPassedOn
          || isCode && (line.hasPrefix("import ") || line.hasPrefix("import{") || line.hasPrefix("import\""))
        {
          var statement = isPassedOn ? "import" + line.dropFirst("export".count) : line
          while !statement.contains(";"), let next = reader.next() { statement += " " + next.line }
          guard let (clause, target) = Self.parts(ofImport: statement) else {
            throw refuse("the import isn't of the form 'import { a, b as c } from \"./file.js\";'")
          }
          guard let path = Self.path(target, from: name) else {
            throw refuse("the import of '\(target)' isn't relative")
          }
          imports.append((path, clause))
          // `a as b` is `a: b` in the clause.
          if isPassedOn { exports += clause.map { $0.split(separator: " ").last.map(String.init) ?? $0 } }
        } else if isCode, line.hasPrefix("export ") {
          guard let (exported, rest) = Self.parts(ofExport: line) else {
            throw refuse("'export' must be followed by 'function', 'async function', 'class' or 'const' and a name")
          }
          exports.append(exported)
          lines.append(rest)
        } else {
          lines.append(line)
        }
      }
    }

    /// Splits `import { a, b as c } from "./file.js";`.
    private static func parts(ofImport statement: String) -> (names: [String], target: String)? {
      guard let open = statement.firstIndex(of: "{"), let close = statement.firstIndex(of: "}"), open < close,
        statement[..<open].split(separator: " ") == ["import"]
      else { return nil }
      let tail = statement[statement.index(after: close)...].split(separator: "\"", omittingEmptySubsequences: false)
      guard tail.count == 3, tail[0].split(separator: " ") == ["from"], tail[2].split(separator: " ") == [";"] else {
        return nil
      }
      var names: [String] = []
      for part in statement[statement.index(after: open)..<close].split(separator: ",") {
        let words = part.split(separator: " ").map(String.init)
        switch words.count {
        case 0: continue
        case 1: names.append(words[0])
        case 3 where words[1] == "as": names.append("\(words[0]): \(words[2])")
        default: return nil
        }
      }
      return (names, String(tail[1]))
    }

    /// Splits `export const name = …` into the name and the declaration.
    private static func parts(ofExport line: String) -> (name: String, declaration: String)? {
      let declaration = line.dropFirst("export ".count)
      for keyword in ["async function* ", "async function ", "function* ", "function ", "class ", "const "]
      where declaration.hasPrefix(keyword) {
        let name = declaration.dropFirst(keyword.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        return name.isEmpty ? nil : (String(name), String(declaration))
      }
      return nil
    }

    /// Returns a relative path as one below the folder of the page.
    private static func path(_ target: String, from name: String) -> String? {
      guard target.hasPrefix("./") || target.hasPrefix("../") else { return nil }
      var parts = name.split(separator: "/").dropLast().map(String.init)
      for part in target.split(separator: "/") where part != "." {
        if part != ".." {
          parts.append(String(part))
        } else if parts.popLast() == nil {
          return nil
        }
      }
      return parts.joined(separator: "/")
    }
  }
}

/// The lines of a module without comments that take whole lines or are types, and without their indentation.
///
/// Inside of a template literal that continues over lines, all is kept as it is.
private struct LineReader {
  private var lines: ArraySlice<Substring>
  private var number = 0
  private var isInTemplate = false
  private var isInComment = false

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
  }

  /// Returns the next line, its one-based number, and whether it is code from its start.
  mutating func next() -> (line: String, number: Int, isCode: Bool)? {
    while let line = lines.popFirst() {
      number += 1
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      if isInTemplate {
        follow(line)
        return (String(line), number, false)
      }
      if isInComment || trimmed.hasPrefix("/*") {
        isInComment = !trimmed.contains("*/")
        // What follows a comment on its last line is code.
        if !isInComment, !trimmed.hasSuffix("*/") { return (Self.withoutTypes(trimmed), number, false) }
        continue
      }
      if trimmed.isEmpty || trimmed.hasPrefix("//") { continue }
      follow(line)
      return (Self.withoutTypes(trimmed), number, true)
    }
    return nil
  }

  private static func withoutTypes(_ line: Substring) -> String {
    var (code, rest) = ("", line)
    while let start = rest.firstRange(of: "/** @type {"), let end = rest[start.upperBound...].firstRange(of: "*/") {
      code += rest[..<start.lowerBound]
      rest = rest[end.upperBound...].drop { $0 == " " }
    }
    return code + rest
  }

  /// Keeps track of template literals: an odd number of backticks opens or closes one.
  private mutating func follow(_ line: Substring) {
    var isEscaped = false
    for byte in line.utf8 {
      if byte == UInt8(ascii: "`"), !isEscaped { isInTemplate.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
  }
}
