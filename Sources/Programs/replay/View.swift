import ArgumentParser
import ContrailLog
import ContrailReplay
import ContrailViewer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct View: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a page that shows a recording: map, timeline, and the reason for everything.",
    discussion: """
      The page is one HTML file with the recording and the engine inside. It opens without a network and sends nothing. \
      The engine in the page decides again, and says whether its decisions and digests are the recorded ones. A damaged \
      recording is shown up to the damage. With two recordings, the page compares them. Without one, it is empty, and \
      opens the recordings that are dropped onto it.

      EXAMPLES
        replay view flight.jsonl                    write flight.html
        replay view flight.jsonl --open             and open it in the browser
        replay view before.jsonl after.jsonl -o change.html
        replay view --follow app/log --open         a log as it grows
        replay view flight.jsonl --planned '0:310 800:350 1900:370'

      With --follow, no file is written. The program serves the page to this machine alone, at an address that it prints, and the \
      page shows the log of a running client as it grows, until you stop the program.

      EXIT STATUS
        0   the page is written
        2   a recording doesn't exist or is too large, or the page can't be written
        64  invalid arguments
      """)

  @Argument(help: "The recording, and another to compare it with.", completion: .file())
  var files: [String] = []

  @Option(
    name: .shortAndLong, help: "The page to write. It may replace an earlier page, but no other file.",
    completion: .file())
  var output: String?

  @Option(help: "Show this log as it grows: the folder of a running client's log, or a file.", completion: .directory)
  var follow: String?

  @Option(
    help:
      "The planned levels of the profile: distances along the route in NM, each with the flight level from there on.",
    transform: PlannedLevels.init)
  var planned: PlannedLevels?

  @Flag(help: "Open the page in the browser.")
  var open = false

  func validate() throws {
    guard follow == nil || (files.isEmpty && output == nil) else {
      throw ValidationError("--follow shows one log and writes no page. Give it alone.")
    }
    guard files.count <= 2 else { throw ValidationError("\(files.count) recordings. Give one, or two to compare.") }
  }

  func run() throws {
    if let follow { try serve(follow) }
    let target = output ?? Page.defaultName(for: files)
    var flights: [FlightSource] = []
    do throws(PageError) {
      for file in files {
        Terminal.progress("reading \(file)")
        flights.append(try FlightSource(path: file))
      }
      Terminal.progress("writing \(target)")
      let count = try Page.write(flights, planned: planned, to: target)
      Terminal.clearProgress()
      for warning in flights.flatMap(\.warnings) { Terminal.write("Warning: \(warning)\n") }
      print("\(target): \(count / 1000) KB")
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
    if open, !BrowserLauncher.open(target) {
      throw Failure(message: "No program opened \(target). Open it in a browser.", exitCode: 2)
    }
  }
}

extension View {
  /// Serves a page that follows a log, until the process is ended.
  private func serve(_ path: String) throws -> Never {
    let server: FollowServer
    do {
      _ = try FlightSource(path: path)
      server = try FollowServer(following: path, planned: planned)
    } catch let error as PageError {
      throw Failure(message: "\(error)", exitCode: 2)
    }
    print("\(server.url) shows \(path) as it grows. Stop with Ctrl-C.")
    try ProgramOutput.finish()
    if open, !BrowserLauncher.open(server.url) { Terminal.write("No program opened the page. Open it in a browser.\n") }
    try server.run()
  }
}

/// Pages as files.
enum Page {
  /// Returns the name of a recording's page in the working directory.
  static func defaultName(for files: [String]) -> String {
    (files.isEmpty ? "flight" : files.map(name(of:)).joined(separator: "-")) + ".html"
  }

  /// Returns the name of a recording without its folder and its suffix.
  static func name(of file: String) -> String {
    var name = title(of: file)
    for suffix in [".xz", ".jsonl"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
    return name
  }

  /// Returns the name of a recording without its folder.
  static func title(of file: String) -> String { file.split(separator: "/").last.map(String.init) ?? "flight" }

  /// Writes a page and returns its size in bytes.
  ///
  /// - Throws: `PageError`, also if the file can't be written.
  static func write(
    _ flights: [FlightSource], planned: PlannedLevels? = nil, to path: String
  ) throws(PageError) -> Int {
    let html = try FlightPage().html(flights, planned: planned)
    do throws(LogError) {
      try StagedOutput.write(html, to: path, replacing: .page)
    } catch {
      throw PageError(.notWritten, file: path, reason: error.reason)
    }
    return html.count
  }
}

extension StagedOutput.Replaceable {
  /// Pages that this program wrote.
  static let page = StagedOutput.Replaceable("a page of 'replay view'") { path in
    (FileBytes.prefix(of: path, count: 4096) ?? []).contains(FlightPage.generator)
  }

  /// Reports that this program wrote.
  static let report = StagedOutput.Replaceable("a report of 'replay run'") { path in
    (FileBytes.prefix(of: path, count: 4096) ?? []).contains("<testsuites name=\"replay\"")
  }
}

extension [UInt8] {
  /// Returns whether the bytes contain a text.
  func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}

extension FileBytes {
  /// Returns the first bytes of a file, at most `count`.
  static func prefix(of path: String, count: Int) -> [UInt8]? {
    guard let stamp = stamp(of: path) else { return nil }
    return read(path, in: 0..<Swift.min(count, stamp.size))
  }
}
