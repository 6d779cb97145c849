// Appends the lines of a log to a new log in batches and syncs each batch (group commit). For comparison, writes the
// same bytes with `write` and a sync alone, which is the limit, and inserts the same lines into SQLite in WAL mode with
// one transaction per batch. The three alternate, so that other disk activity affects all of them.
//
//   AppendBench SOURCE.jsonl FOLDER LINES-PER-BATCH BATCHES
//
// Prints one line each with the name, the events per second, and the median and the 99th percentile of the time per
// batch in nanoseconds.

import ContrailLog
import Foundation
import GRDB

struct Usage: Error {}

let arguments = CommandLine.arguments
guard arguments.count == 5, let size = Int(arguments[3]), size > 0, let batches = Int(arguments[4]), batches > 0 else {
  print("usage: AppendBench SOURCE.jsonl FOLDER LINES-PER-BATCH BATCHES")
  throw Usage()
}
let folder = arguments[2]

/// The lines of the source, without the log's own marks.
var lines: [LogEnvelope] = []
let reader = try LogReader(path: arguments[1])
while lines.count < size * batches, let line = try reader.next() {
  // Skips the first response, which is as long as hours of later ones.
  if line.isKind("segment.opened") || line.isKind("log.synced") || line.payload.count > 100_000 { continue }
  lines.append(line.envelope)
}
guard lines.count == size * batches else {
  print("AppendBench: the source has only \(lines.count) lines")
  throw Usage()
}

/// The times of the batches of one writer.
struct Lane {
  let name: String
  let lines: Int
  var times: [Duration] = []

  init(_ name: String, lines: Int) { (self.name, self.lines) = (name, lines) }

  mutating func measure(_ body: () throws -> Void) rethrows {
    times.append(try ContinuousClock().measure(body))
  }

  var text: String {
    let sorted = times.sorted()
    let whole = sorted.reduce(.zero, +)
    func nanoseconds(_ percent: Int) -> Int { Int(sorted[(sorted.count - 1) * percent / 100] / .nanoseconds(1)) }
    let events = Double(lines * sorted.count) / (whole / .seconds(1))
    return "\(name) \(Int(events)) \(nanoseconds(50)) \(nanoseconds(99))"
  }
}

// MARK: Writers

let path = folder + "/append.jsonl"
let writer = try LogWriter.create(path: path, at: lines[0].at, policy: .everyEvent)

let raw = open(folder + "/raw.jsonl", O_WRONLY | O_CREAT | O_EXCL, 0o644)
guard raw >= 0 else { throw Usage() }
let written = open(path, O_RDONLY)
var rawOffset = 0

/// Writes and syncs like the log on each system.
@MainActor func writeRaw(_ bytes: [UInt8]) throws {
  guard pwrite(raw, bytes, bytes.count, off_t(rawOffset)) == bytes.count else { throw Usage() }
  rawOffset += bytes.count
  #if canImport(Darwin)
    guard fcntl(raw, F_FULLFSYNC) == 0 else { throw Usage() }
  #else
    guard fdatasync(raw) == 0 else { throw Usage() }
  #endif
}

/// Returns the bytes appended since the last call.
@MainActor func newBytes(_ from: Int) throws -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: Int(writer.byteCount) - from)
  guard pread(written, &bytes, bytes.count, off_t(from)) == bytes.count else { throw Usage() }
  return bytes
}

var configuration = Configuration()
configuration.prepareDatabase { db in
  try db.execute(sql: "PRAGMA journal_mode = WAL")
  try db.execute(sql: "PRAGMA synchronous = FULL")
}
let database = try DatabaseQueue(path: folder + "/append.sqlite", configuration: configuration)
try database.write { try $0.execute(sql: "CREATE TABLE log (seq INTEGER PRIMARY KEY, line BLOB NOT NULL)") }

@MainActor func append(_ group: ArraySlice<LogEnvelope>) throws {
  var batch = writer.batch()
  for line in group { try batch.add(kind: line.kind, at: line.at, payload: line.payload) }
  try writer.append(batch)
  try writer.sync(at: batch.count > 0 ? group[group.endIndex - 1].at : 0)
}

/// Inserts the lines as they are in the log.
func insert(_ rows: [Data]) throws {
  try database.write { db in
    let statement = try db.cachedStatement(sql: "INSERT INTO log (line) VALUES (?)")
    for row in rows { try statement.execute(arguments: [row]) }
  }
}

// MARK: Measuring

var lanes = ["contrail", "raw", "sqlite"].map { Lane($0, lines: size) }
var (bytes, rows) = (try newBytes(0), [Data]())
for turn in 0...batches {
  // Each turn begins with another writer. The other two are one batch behind and write what the log has written.
  for lane in (0..<3).map({ ($0 + turn) % 3 }) {
    switch lane {
    case 0 where turn < batches: try lanes[0].measure { try append(lines[turn * size..<(turn + 1) * size]) }
    case 1 where turn > 0: try lanes[1].measure { try writeRaw(bytes) }
    case 2 where turn > 0: try lanes[2].measure { try insert(rows) }
    default: break
    }
  }
  if turn == 0 { try writeRaw(bytes) }
  bytes = try newBytes(rawOffset)
  rows = bytes.split(separator: UInt8(ascii: "\n")).suffix(size).map { Data($0) }
}
for lane in lanes { print(lane.text) }
