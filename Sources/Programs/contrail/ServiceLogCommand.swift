import ArgumentParser
import ContrailGeodesy
import ContrailLog
import ContrailReplay
import ContrailServer
import ContrailWire
import ContrailWorld
import Foundation

/// The `contrail log` command: shows what a service's log holds.
struct ServiceLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show what the log of a service holds at a time, and where it comes from.",
    discussion: """
      The state results from the lines up to the given time, as in the service itself. Equal states have equal digests.

      EXAMPLES
        contrail log /var/lib/contrail
        contrail log /var/lib/contrail --at 2026-11-26T14:02:00Z
        contrail log /var/lib/contrail --at -1h
        contrail log /var/lib/contrail --lines
        contrail log /var/lib/contrail --why "SIGMET WHISKEY 1"
        contrail log /var/lib/contrail --bytes
        contrail log /var/lib/contrail --diff /backup/contrail
        contrail log copy --database postgresql://contrail@db.example.com/contrail

      A time is one in UTC, or one from the start of the log (1h10m, t+0) or from its end (-90s).

      --lines prints each line in words. --why follows the PIREPs, advisories and uploads that contain a text: when each \
      came, and when and why it was withdrawn, expired or was skipped. It also prints other lines with the text, such as \
      failures. --diff compares line by line, without the \
      lines of segments and snapshots, and says which line is the first that differs. --database first copies the \
      log of a database into the directory, which must be new.

      EXIT STATUS
        0   success
        1   the log can't be read, is another one, or differs, or nothing
            matches --why
        64  invalid arguments
      """)

  @Argument(help: "The directory of the log, or a file.", completion: .directory)
  var path: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A time (2026-11-26T14:02:00Z, 1h10m, t+0, -90s). Default: the end.", valueName: "time"))
  var at: String?

  @Flag(help: "Print each line in words.")
  var lines = false

  @Option(
    help: ArgumentHelp("Print what happened to the records that contain this text, and when.", valueName: "text"))
  var why: String?

  @Flag(help: "Print the bytes of the lines by kind and source.")
  var bytes = false

  @Option(
    help: ArgumentHelp("Compare with this log of a service.", valueName: "directory"), completion: .directory)
  var diff: String?

  @Option(
    help: ArgumentHelp("Copy the log of this PostgreSQL database into the directory first.", valueName: "url"))
  var database: String?

  func run() async throws {
    #if PostgreSQL
      if let database {
        let log = PostgreSQLLog(try LiveOptions.address(database))
        let count = try await log.copy(to: path)
        print("\(Words.count(count, "line")) copied")
        await log.close()
      }
    #else
      if database != nil { throw LiveOptions.withoutPostgreSQL }
    #endif
    let place = try at.map { try LogPlace(LogMoment($0), inLogAt: path) }
    let time = place?.time
    // What scripts read is as it would be without it.
    if let note = place?.note { printError(Words.page(note)) }
    if let why { return try follow(why, until: time) }
    if lines { return try list(until: time) }
    if bytes { return try count(until: time) }
    if let diff { return try compare(with: diff, until: time) }
    if place?.isBeforeStart == true { return }
    summarise(try ServiceLogPlayer(path: path, until: time, feeds: .complete).state, at: time)
  }

  /// Prints text whose lines fit the terminal.
  private func show(_ text: String) { print(Words.page(text)) }

  /// Prints what a state holds, and what its sources did.
  private func summarise(_ state: ServiceState, at time: Int64?) {
    show("through \(FeedTime.text(state.lastAt)), digest \(String(state.digest(at: state.lastAt), radix: 16))")
    let nouns = [
      "pireps": ("PIREP", "PIREPs"), "reports": ("report", "reports"), "advisories": ("advisory", "advisories"),
      "aircraft": ("aircraft", "aircraft"), "uploaded": ("uploaded report", "uploaded reports"),
    ]
    // A second later, so that what the last line added counts.
    for (name, count) in state.held(at: (time ?? state.lastAt) / 1000 + 1) {
      let (one, many) = nouns[name] ?? (name, name)
      show("  \(Words.count(count, one, many))")
    }
    for (name, source) in state.sources.sorted(by: { $0.key < $1.key }) {
      let answered = source.answeredAt.map { "answered \(FeedTime.text($0))" } ?? "never answered"
      let counts = [Words.count(source.answers, "answer"), Words.count(source.failuresInAll, "failure")]
      show("\(name): \(answered), \(counts.joined(separator: ", "))")
      if let failure = source.failure { show("  last failure: \(failure)") }
      if source.isFull { show("  \(SourceState.fullWarning)") }
    }
  }

  /// Prints the bytes by kind and source, the most first.
  private func count(until time: Int64?) throws {
    let reader = try LogReader(path: path)
    var sums: [String: (lines: Int, bytes: Int)] = [:]
    while let line = try reader.next(), line.at <= time ?? Int64.max {
      var name = line.kindName
      if let source = try ServiceLine(line)?.source { name += " " + source }
      sums[name, default: (0, 0)].lines += 1
      sums[name, default: (0, 0)].bytes += line.bytes.count + 1
    }
    var table = TextTable([.right("BYTES"), .right("LINES"), .left("KIND, SOURCE")])
    for (name, sum) in sums.sorted(by: { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }) {
      table.add([Words.count(sum.bytes), Words.count(sum.lines), name])
    }
    for line in table.lines { print(line) }
  }

  /// Prints the first line that differs, or that the logs are equal.
  private func compare(with other: String, until time: Int64?) throws {
    let readers = (try LogReader(path: path), try LogReader(path: other))
    var count = 0
    while true {
      let ours = try Self.entry(readers.0, until: time)
      let theirs = try Self.entry(readers.1, until: time)
      guard ours != theirs else {
        guard ours != nil else { return show("equal: \(Words.count(count, "line"))") }
        count += 1
        continue
      }
      for (name, found) in [(path, ours), (other, theirs)] {
        let words = found.map { "\(FeedTime.text($0.at)) \($0.line.words(.none))" } ?? "no further line"
        show("\(name): \(words)")
      }
      show("\(Words.count(count, "line")) before \(count == 1 ? "is" : "are") equal")
      throw ExitCode.failure
    }
  }

  private struct Entry: Equatable {
    let at: Int64
    let line: ServiceLine
  }

  /// Returns the next line that isn't one of the log itself.
  private static func entry(_ reader: LogReader, until time: Int64?) throws -> Entry? {
    while let line = try reader.next(), line.at <= time ?? Int64.max {
      if let entry = try ServiceLine(line) { return Entry(at: line.at, line: entry) }
    }
    return nil
  }

  private func list(until time: Int64?) throws {
    let reader = try LogReader(path: path)
    var state: ServiceState?
    while let line = try reader.next() {
      if let time, line.at > time { return }
      if state == nil { state = ServiceState(beginning: line.at / 1000, reader: .complete) }
      let entry = try ServiceLine(line)
      let change = try state?.fold(line) ?? ServiceState.Change.none
      guard let entry else { continue }
      show("\(line.seq) \(FeedTime.text(line.at))  \(entry.words(change))")
    }
  }

  /// Prints what happened to the records that contain a text, or that nothing matches.
  private func follow(_ text: String, until time: Int64?) throws {
    let reader = try LogReader(path: path)
    var trail = RecordTrail(of: text, reader: .complete)
    var last: Int64 = 0
    var isFound = false
    func show(_ events: [RecordTrail.Event]) {
      for event in events {
        self.show("\(event.seq.map { "\($0)" } ?? "-") \(FeedTime.text(event.at))  \(event.text)")
      }
      isFound = isFound || !events.isEmpty
    }
    while let line = try reader.next(), line.at <= time ?? Int64.max {
      show(try trail.fold(line))
      last = line.at
    }
    show(trail.ended(through: time ?? last))
    guard !isFound else { return }
    printError(
      Words.page(
        "Nothing in the log contains '\(text)'. Use a part of a report, of an advisory's name or of an upload's key, such "
          + "as SIGMET."))
    throw ExitCode.failure
  }
}
