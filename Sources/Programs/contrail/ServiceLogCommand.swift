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
        contrail log /var/lib/contrail --lines
        contrail log /var/lib/contrail --why "SIGMET WHISKEY 1"
        contrail log /var/lib/contrail --bytes
        contrail log /var/lib/contrail --diff /backup/contrail
        contrail log copy --database postgresql://contrail@db.example.com/contrail

      --lines prints each line in words. --why follows the PIREPs, advisories and uploads that contain a text: when each \
      came, and when and why it was withdrawn, expired or was skipped. It also prints other lines with the text, such as \
      failures. --diff compares line by line, without the \
      lines of segments and snapshots, and says which line is the first that differs. --database first copies the \
      log of a database into the directory, which must be new.

      EXIT STATUS
        0   success
        1   the log can't be read, is another one, or differs
        64  invalid arguments
      """)

  @Argument(help: "The directory of the log, or a file.", completion: .directory)
  var path: String

  @Option(help: ArgumentHelp("A time such as 2026-11-26T14:02:00Z. Default: the end.", valueName: "time"))
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
    let time = try at.map { text in
      guard let time = FeedTime.milliseconds(text) else {
        throw ValidationError("--at: '\(text)' is invalid. Use a time such as 2026-11-26T14:02:00Z.")
      }
      return time
    }
    if let why { return try follow(why, until: time) }
    if lines { return try list(until: time) }
    if bytes { return try count(until: time) }
    if let diff { return try compare(with: diff, until: time) }
    let state = try ServiceLogPlayer(path: path, until: time, feeds: .complete).state
    print("through \(FeedTime.text(state.lastAt)), digest \(String(state.digest(at: state.lastAt), radix: 16))")
    // A second later, so that what the last line added counts.
    for (name, count) in state.held(at: (time ?? state.lastAt) / 1000 + 1) { print("  \(count) \(name)") }
    for (name, source) in state.sources.sorted(by: { $0.key < $1.key }) {
      let answered = source.answeredAt.map { "answered \(FeedTime.text($0))" } ?? "never answered"
      print("\(name): \(answered), \(source.answers) answers, \(source.failuresInAll) failures")
      if let failure = source.failure { print("  last failure: \(failure)") }
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
    for (name, sum) in sums.sorted(by: { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }) {
      print("\(sum.bytes) bytes in \(Words.count(sum.lines, "line")): \(name)")
    }
  }

  /// Prints the first line that differs, or that the logs are equal.
  private func compare(with other: String, until time: Int64?) throws {
    let readers = (try LogReader(path: path), try LogReader(path: other))
    var count = 0
    while true {
      let ours = try Self.entry(readers.0, until: time)
      let theirs = try Self.entry(readers.1, until: time)
      guard ours != theirs else {
        guard ours != nil else { return print("equal: \(Words.count(count, "line"))") }
        count += 1
        continue
      }
      for (name, found) in [(path, ours), (other, theirs)] {
        let words = found.map { "\(FeedTime.text($0.at)) \($0.line.words(.none))" } ?? "no further line"
        print("\(name): \(words)")
      }
      print("\(Words.count(count, "line")) before \(count == 1 ? "is" : "are") equal")
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
      print("\(line.seq) \(FeedTime.text(line.at)) \(entry.words(change))")
    }
  }

  /// Prints what happened to the records that contain a text.
  private func follow(_ text: String, until time: Int64?) throws {
    let reader = try LogReader(path: path)
    var trail = RecordTrail(of: text, reader: .complete)
    var last: Int64 = 0
    func show(_ events: [RecordTrail.Event]) {
      for event in events { print("\(event.seq.map { "\($0)" } ?? "-") \(FeedTime.text(event.at)) \(event.text)") }
    }
    while let line = try reader.next(), line.at <= time ?? Int64.max {
      show(try trail.fold(line))
      last = line.at
    }
    show(trail.ended(through: time ?? last))
  }

}
