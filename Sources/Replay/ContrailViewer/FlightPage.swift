import ContrailCompression
import ContrailLog

/// Writes recordings, the engine and the page that shows them as one HTML file.
///
/// The file needs no other file and no network: its Content-Security-Policy forbids every request, and allows no script
/// or style but its own, by their hashes. Everything from a recording is text without `<` (``DenseText``) in elements that a browser
/// doesn't run, or an attribute with its special characters escaped, so that no text of a recording is ever markup. The style and the
/// program are packed in the same way; `start.js` unpacks them.
///
/// Equal recordings give equal bytes.
package struct FlightPage: Sendable {
  private let files: PageFiles

  /// The element by which a page of this program is recognized.
  package static let generator = #"<meta name="generator" content="contrail replay view">"#

  /// Creates a writer for pages.
  package init(files: PageFiles = .bundled) {
    self.files = files
  }

  /// Returns the page.
  ///
  /// - Parameter flights: The recordings to show: none, one, or two to compare.
  /// - Throws: ``PageError``.
  package func html(_ flights: [FlightSource]) throws(PageError) -> [UInt8] {
    let template = Self.withoutIndentation(try files.text("index.html"))
    let style = Self.compact(style: try files.text("style.css"))
    let program = try ScriptBundle(entry: "main.js", files: files).text
    let script = try ScriptBundle(entry: "start.js", files: files).text
    var html = template
    let policy = Self.policy(scripts: [script, program], styles: [Self.curtain, style])
    try html.replace("<head>", with: "<head>\n\(policy)\n\(Self.generator)", in: "index.html")
    try html.replace(
      #"<link rel="stylesheet" href="style.css">"#, with: "<style id=\"curtain\">\(Self.curtain)</style>",
      in: "index.html")
    // Last, because the script contains what is replaced elsewhere.
    var (head, tail) = try html.split(at: #"<script type="module" src="main.js"></script>"#, in: "index.html")
    let scriptElement = Array("<script type=\"module\">\(script)</script>".utf8)
    let data = try self.data(style: style, program: program, flights)
    let mark = "<!-- data -->"
    if head.contains(mark) {
      let (before, after) = try head.split(at: mark, in: "index.html")
      (head, tail) = (before, tail)
      return Array(before.utf8) + data + Array(after.utf8) + scriptElement + Array(tail.utf8)
    }
    let (before, after) = try tail.split(at: mark, in: "index.html")
    return Array(head.utf8) + scriptElement + Array(before.utf8) + data + Array(after.utf8)
  }

  // MARK: Policy

  /// Hides the page until its style is unpacked.
  private static let curtain = "body > :not(noscript) { display: none; }"

  private static func policy(scripts: [String], styles: [String]) -> String {
    let (scripts, styles) = (scripts.map(hash).joined(separator: " "), styles.map(hash).joined(separator: " "))
    let rules = [
      "default-src 'none'", "script-src \(scripts) 'wasm-unsafe-eval'", "style-src \(styles)",
      "img-src data: blob:", "connect-src 'none'", "form-action 'none'", "base-uri 'none'",
    ]
    return #"<meta http-equiv="Content-Security-Policy" content="\#(rules.joined(separator: "; "))">"#
  }

  /// Returns the source expression that allows one inline element.
  private static func hash(_ text: String) -> String {
    var hash = SHA256()
    Array(text.utf8).withUnsafeBytes { hash.update($0) }
    var bytes: [UInt8] = []
    var digits = hash.finishedHex()[...]
    while !digits.isEmpty {
      bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    return "'sha256-\(String(decoding: Base64.encode(bytes), as: UTF8.self))'"
  }

  /// Returns a style sheet without its comments and indentation.
  static func compact(style: String) -> String {
    var text = ""
    var rest = style[...]
    while let open = rest.firstRange(of: "/*") {
      text += rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].firstRange(of: "*/") else { return text }
      rest = rest[close.upperBound...]
    }
    text += rest
    return withoutIndentation(text)
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Data

  private func data(style: String, program: String, _ flights: [FlightSource]) throws(PageError) -> [UInt8] {
    var html: [UInt8] = []
    func add(_ attributes: [(String, String)], _ bytes: [UInt8]) {
      let all = attributes + [("data-bytes", "\(bytes.count)")]
      let text = all.map { " \($0)=\"\(Self.escaped($1))\"" }.joined()
      html += Array("<script type=\"text/plain\"\(text)>".utf8) + DenseText.encode(bytes) + Array("</script>\n".utf8)
    }
    for (id, text) in [("style", style), ("program", program)] {
      let file = FlightSource.File(name: id, bytes: Array(text.utf8))
      add([("id", id), ("data-encoding", "gzip")], try Self.packed(file))
    }
    add([("id", "engine"), ("data-encoding", "lzma")], try files.contents("engine.lzma"))
    for name in files.bytes.keys.sorted() where name.hasSuffix(".bin") {
      let file = FlightSource.File(name: name, bytes: try files.contents(name))
      add([("class", "asset"), ("data-name", name), ("data-encoding", "gzip")], try Self.packed(file))
    }
    for (index, flight) in flights.enumerated() {
      for file in flight.files {
        add(
          [
            ("class", "flight"), ("data-flight", "\(index)"), ("data-title", flight.title), ("data-name", file.name),
            ("data-encoding", "gzip"),
          ], try Self.packed(file))
      }
      for blob in flight.blobs {
        add(
          [("class", "blob"), ("data-flight", "\(index)"), ("data-name", blob.name), ("data-encoding", "gzip")],
          try Self.packed(blob))
      }
    }
    return html
  }

  private static func packed(_ file: FlightSource.File) throws(PageError) -> [UInt8] {
    guard let packed = Gzip.packed(file.bytes, level: 9) else {
      throw PageError(.notCompressed, file: file.name, reason: "its \(file.bytes.count) bytes couldn't be compressed")
    }
    return packed
  }

  /// Returns text for an attribute in quotation marks. Control characters can't be written in HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where scalar.value < 32 || scalar.value == 127: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension String {
  /// Returns what precedes and follows a text, which must occur once.
  fileprivate func split(at text: String, in file: String) throws(PageError) -> (String, String) {
    guard let range = firstRange(of: text), self[range.upperBound...].firstRange(of: text) == nil else {
      throw PageError(.fileMissing, file: file, reason: "it must contain '\(text)' once")
    }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }

  /// Replaces a text, which must occur once.
  fileprivate mutating func replace(_ text: String, with other: String, in file: String) throws(PageError) {
    let (head, tail) = try split(at: text, in: file)
    self = head + other + tail
  }
}
