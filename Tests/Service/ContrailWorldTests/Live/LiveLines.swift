import ContrailLog
import ContrailTestSupport

@testable import ContrailWorld

/// Lines in a log of their own.
struct LiveLines {
  private let disk = MemoryDisk()

  init(_ lines: [ServiceLine]) throws { try self.init(timed: lines.map { ($0, 1) }) }

  /// - Parameter lines: The lines with their times in milliseconds.
  init(timed lines: [(line: ServiceLine, at: Int64)]) throws {
    try disk.makeDirectory("/log")
    let writer = try LogWriter.create(path: "/log/000000000000.jsonl", at: 0, policy: .everyEvent, storage: disk)
    var batch = writer.batch()
    for (line, at) in lines { try batch.add(line.kind, at: at, payload: line.payload) }
    try writer.append(batch)
  }

  /// Returns what a trail tells of the lines, each with its time in seconds, and then of the time until the end.
  func trail(of text: String, until end: Int64) throws -> [String] {
    let reader = try LogReader(path: "/log", storage: disk)
    var trail = RecordTrail(of: text, reader: FeedReader())
    var events: [RecordTrail.Event] = []
    while let line = try reader.next() { events += try trail.fold(line) }
    events += trail.ended(through: end * 1000)
    return events.map { "\($0.at / 1000) \($0.text)" }
  }

  func read() throws -> [ServiceLine] {
    let reader = try LogReader(path: "/log", storage: disk)
    var lines: [ServiceLine] = []
    while let line = try reader.next() {
      if let entry = try ServiceLine(line) { lines.append(entry) }
    }
    return lines
  }
}
