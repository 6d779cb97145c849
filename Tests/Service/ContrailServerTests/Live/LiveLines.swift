import ContrailLog
import ContrailTestSupport

@testable import ContrailWorld

/// Lines in a log of their own.
struct LiveLines {
  private let disk = MemoryDisk()

  init(_ lines: [ServiceLine]) throws {
    try disk.makeDirectory("/log")
    let writer = try LogWriter.create(path: "/log/000000000000.jsonl", at: 0, policy: .everyEvent, storage: disk)
    var batch = writer.batch()
    for line in lines { try batch.add(line.kind, at: 1, payload: line.payload) }
    try writer.append(batch)
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
