import ContrailCore
import ContrailEngine
import ContrailLog

/// What the network delivered and the engine took, to be found in the log again.
struct Ledger {
  private struct Entry: Hashable {
    var request: Int64
    var bytes: Int64?
  }

  /// By the `seq` of the line.
  private var entries: [Int64: Entry] = [:]
  /// All that the engine was ever given, acknowledged or not.
  private var attempts: Set<Entry> = []
  /// How many answers the application got itself.
  private var lookups = 0

  mutating func attempt(_ reply: Simulation.Reply) {
    attempts.insert(Entry(request: reply.request.number, bytes: reply.delivery.wireBytes))
  }

  mutating func took(_ reply: Simulation.Reply, seq: Int64) {
    entries[seq] = Entry(request: reply.request.number, bytes: reply.delivery.wireBytes)
  }

  /// Returns a body of an answer that the application gets itself, each another.
  mutating func nextLookup() -> String {
    lookups += 1
    return #"{"lookup":\#(lookups)}"#
  }

  /// What a power loss took is gone from here too.
  mutating func opened(nextSeq: Int64) { entries = entries.filter { $0.key < nextSeq } }

  /// What reading a log has found so far.
  struct Reading {
    var firstSeq: Int64?
    var lastSeq: Int64?
    /// Lines before this one are missing: segments that are gone, or what a failed sync has cost.
    var hasGap = false
    var started: Set<Int64> = []
    var bytes: Int64 = 0
    var found: Set<Int64> = []
    /// The last answer that the application got itself.
    var lastLookup = 0
  }

  func read(_ record: Record, _ reading: inout Reading, _ judge: inout Judge) {
    if reading.firstSeq == nil { reading.firstSeq = record.seq }
    if record.seq != (reading.lastSeq ?? -1) + 1 { reading.hasGap = true }
    reading.lastSeq = record.seq
    switch record.event {
    case .input(let input):
      switch input {
      case .responseReceived(let response):
        reading.bytes += response.wireBytes
        account(for: Entry(request: response.request, bytes: response.wireBytes), record.seq, &reading, &judge)
      case .responseFailed(let request, _, _):
        account(for: Entry(request: request, bytes: nil), record.seq, &reading, &judge)
      case .weatherReceived(let received): account(for: received, record.seq, &reading, &judge)
      default: break
      }
    case .decision(let decision):
      guard let request = decision.startedRequest else { return }
      reading.started.insert(request)
    case .mark: break
    }
  }

  /// Each answer that the application got itself is there once, in order, and whole.
  private func account(
    for received: Input.WeatherReceived, _ seq: Int64, _ reading: inout Reading, _ judge: inout Judge
  ) {
    let text = String(decoding: received.body.bytes, as: UTF8.self)
    guard let number = Int(text.drop { !$0.isNumber }.dropLast()), number <= lookups,
      number > reading.lastLookup, received.wireBytes == Int64(received.body.bytes.count)
    else {
      return judge.find(.accounting, "seq \(seq): the application got no such weather at this point: \(text)")
    }
    reading.lastLookup = number
  }

  private func account(for entry: Entry, _ seq: Int64, _ reading: inout Reading, _ judge: inout Judge) {
    if let due = entries[seq] {
      reading.found.insert(seq)
      if due != entry { judge.find(.accounting, "seq \(seq): the network had delivered something else") }
    } else if !attempts.contains(entry) {
      judge.find(.accounting, "seq \(seq): the network never delivered this")
    }
    // What is missing may have held the request.
    if !reading.hasGap, !reading.started.contains(entry.request) {
      judge.find(.accounting, "seq \(seq): an answer to request \(entry.request), which no rule had sent")
    }
  }

  /// At the log's end: what was delivered and isn't there.
  func close(_ reading: Reading, losses: [LogReader.Loss], _ judge: inout Judge) {
    var due: Int64 = 0
    for (seq, entry) in entries.sorted(by: { $0.key < $1.key }) where seq >= reading.firstSeq ?? 0 {
      if losses.contains(where: { $0.seqs.contains(seq) }) { return }
      due += entry.bytes ?? 0
      if !reading.found.contains(seq) {
        judge.find(.accounting, "seq \(seq): the answer that was taken is not in the log")
      }
    }
    let attempted = reading.bytes - due
    if attempted < 0 { judge.find(.accounting, "the log has \(-attempted) bytes less than the network delivered") }
  }
}
