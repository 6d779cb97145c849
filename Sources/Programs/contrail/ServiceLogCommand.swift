import ArgumentParser
import ContrailGeodesy
import ContrailLog
import ContrailServer
import ContrailWire
import ContrailWorld
import Foundation

/// The `contrail log` command: shows what a service's log holds.
struct ServiceLogCommand: ParsableCommand {
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

      --lines prints each line in words, --why those that contain a text.

      EXIT STATUS
        0   success
        1   the log can't be read, or is another one
        64  invalid arguments
      """)

  @Argument(help: "The directory of the log, or a file.", completion: .directory)
  var path: String

  @Option(help: ArgumentHelp("A time such as 2026-11-26T14:02:00Z. Default: the end.", valueName: "time"))
  var at: String?

  @Flag(help: "Print each line in words.")
  var lines = false

  @Option(help: ArgumentHelp("Print the lines that contain this text, and what they changed.", valueName: "text"))
  var why: String?

  func run() throws {
    let time = try at.map { text in
      guard let time = FeedTime.milliseconds(text) else {
        throw ValidationError("--at: '\(text)' is invalid. Use a time such as 2026-11-26T14:02:00Z.")
      }
      return time
    }
    if lines || why != nil { return try list(until: time) }
    let state = try ServiceLogPlayer(path: path, until: time, feeds: .complete).state
    print("through \(FeedTime.text(state.lastAt)), digest \(String(state.digest(at: state.lastAt), radix: 16))")
    for (name, count) in state.held { print("  \(count) \(name)") }
    for (name, source) in state.sources.sorted(by: { $0.key < $1.key }) {
      let answered = source.answeredAt.map { "answered \(FeedTime.text($0))" } ?? "never answered"
      print("\(name): \(answered), \(source.answers) answers, \(source.failuresInAll) failures")
      if let failure = source.failure { print("  last failure: \(failure)") }
    }
  }

  private func list(until time: Int64?) throws {
    let reader = try LogReader(path: path)
    var state: ServiceState?
    while let line = try reader.next() {
      if let time, line.at > time { return }
      if state == nil { state = ServiceState(beginning: line.at / 1000, reader: .complete) }
      let entry = try ServiceLine(line)
      let change = try state?.fold(line) ?? ServiceState.Change.none
      guard let entry, why.map({ entry.contains($0) }) ?? true else { continue }
      print("\(line.seq) \(FeedTime.text(line.at)) \(entry.words(change))")
    }
  }
}

extension ServiceLine {
  /// Whether the texts of the line contain a text.
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: payload, as: UTF8.self).contains(text)
  }

  fileprivate func words(_ change: ServiceState.Change) -> String {
    switch (self, change) {
    case (.started(let version, let sources), _):
      "the service started: \(version)\(sources.isEmpty ? "" : ", \(sources.joined(separator: ", "))")"
    case (.answered(let answer), .gained(let gain)):
      "\(answer.source) answered \(answer.body.utf8.count) bytes: \(gain.text)"
    case (.answered(let answer), _): "\(answer.source) answered \(answer.body.utf8.count) bytes"
    case (.unchanged(let source, let status), _): "\(source) hasn't changed (\(status))"
    case (.failed(let failure), _): "\(failure.source) failed: \(failure.reason)"
    case (.uploaded(let upload), .uploaded(let receipt)):
      "'\(upload.owner)' sent \(upload.reports.count) reports: \(receipt.accepted) accepted, \(receipt.quarantined) held back"
    case (.uploaded(let upload), _): "'\(upload.owner)' sent \(upload.reports.count) reports again"
    case (.area(let ring), _): "an area of \(ring.points.count) points got a handle"
    }
  }
}
