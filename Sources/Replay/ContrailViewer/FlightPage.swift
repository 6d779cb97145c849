import ContrailCompression
import ContrailLog

/// Writes recordings, the engine and the page that shows them as one HTML file.
///
/// The file needs nothing else and asks nobody: its Content-Security-Policy forbids every request, and allows no script
/// or style but its own, by their hashes. Only a page that follows a log asks, and only the server that it comes from. Everything from a recording is Base64 in elements that a browser doesn't run, or an
/// attribute with its special characters escaped, so that no text of a recording is ever markup.
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
  /// - Parameters:
  ///   - flights: The recordings to show: none, one, or two to compare.
  ///   - follows: Whether the page asks the server that it comes from for a log that grows; see `FlightSource.packed`.
  ///   - planned: The planned levels, which the profile shows.
  /// - Throws: ``PageError``.
  package func html(
    _ flights: [FlightSource], follows: Bool = false, planned: PlannedLevels? = nil
  ) throws(PageError) -> [UInt8] {
    var html = Self.withoutIndentation(try files.text("index.html"))
    let style = Self.compact(style: try files.text("style.css"))
    let script = try ScriptBundle(entry: "main.js", files: files).text
    try html.replace(
      "<head>",
      with: "<head>\n\(Self.policy(script: script, style: style, follows: follows))\n\(Self.generator)"
        + (follows ? "\n" + Self.followed : "")
        + (planned.map { "\n<meta name=\"contrail-planned\" content=\"\($0.text)\">" } ?? ""), in: "index.html")
    try html.replace(
      #"<link rel="stylesheet" href="style.css">"#, with: "<style>\(style)</style>", in: "index.html")
    // The script comes last, because it contains what is replaced elsewhere.
    let (start, rest) = try html.split(at: "<!-- data -->", in: "index.html")
    let (middle, end) = try rest.split(at: #"<script type="module" src="main.js"></script>"#, in: "index.html")
    let tail = "\(middle)<script type=\"module\">\(script)</script>\(end)"
    return Array(start.utf8) + (try data(flights)) + Array(tail.utf8)
  }

  // MARK: Policy

  /// The element by which the page knows that it follows a log.
  private static let followed = #"<meta name="contrail-follow" content="log">"#

  private static func policy(script: String, style: String, follows: Bool) -> String {
    let rules = [
      "default-src 'none'", "script-src \(hash(script)) 'wasm-unsafe-eval'", "style-src \(hash(style))",
      "img-src data: blob:", "connect-src \(follows ? "'self'" : "'none'")", "form-action 'none'", "base-uri 'none'",
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

  private func data(_ flights: [FlightSource]) throws(PageError) -> [UInt8] {
    var html: [UInt8] = []
    func add(_ attributes: [(String, String)], packed bytes: [UInt8]) {
      let text = attributes.map { " \($0)=\"\(Self.escaped($1))\"" }.joined()
      html += Array("<script type=\"text/plain\"\(text)>".utf8) + Base64.encode(bytes) + Array("</script>\n".utf8)
    }
    add([("id", "engine")], packed: try files.contents("engine.wasm.gz"))
    for name in files.bytes.keys.sorted() where name.hasSuffix(".bin") {
      let file = FlightSource.File(name: name, bytes: try files.contents(name))
      add([("class", "asset"), ("data-name", name)], packed: try Self.packed(file))
    }
    for (index, flight) in flights.enumerated() {
      let number = ("data-flight", "\(index)")
      for file in flight.files {
        add(
          [("class", "flight"), number, ("data-title", flight.title), ("data-name", file.name)],
          packed: try Self.packed(file))
      }
      for blob in flight.blobs {
        add([("class", "blob"), number, ("data-name", blob.name)], packed: try Self.packed(blob))
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
