// Writes to a log until it is killed: contrail-crash-writer DIRECTORY SEED
//
// Says on standard output, a line each, what it has acknowledged: "a 17" once the event with seq 17 is appended; and what it is
// about to do and has done: "p seal" and "d", so that it can be killed amid it.
// What each event holds follows from its seq, so that the test that kills this process can check that all are there.

import ContrailLog
import ContrailTestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

func say(_ text: String) {
  let bytes = Array("\(text)\n".utf8)
  // A line is one write, so that it comes whole or not at all.
  if write(1, bytes, bytes.count) != bytes.count { exit(3) }
}

func run(_ directory: String, seed: UInt64) throws {
  var random = SplitMix64(seed: seed)
  let log = try LogDirectory(path: directory, at: 0, policy: .everyEvent, storage: PiecewiseStorage())
  say("o \(log.writer.last.seq)")
  var signing: LogHead?
  while true {
    let draw = Int.random(in: 0..<44, using: &random)
    if draw >= 24 { say("p \(phase(draw))") }
    switch draw {
    case 0..<24:
      var batch = log.writer.batch()
      // Now and then so much that the write takes its time.
      let factor = phase(draw) == "bulk" ? 300 : 1
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let padding = String(repeating: "x", count: Int.random(in: 0...2000, using: &random) * factor)
        let payload = #""check":\#(batch.nextSeq &* 7919),"padding":"\#(padding)""#
        try batch.add("note", at: 0, payload: Array(payload.utf8))
      }
      // Here, for it's the write that is to be hit, and not the making of its lines.
      say("p \(phase(draw))")
      try log.writer.append(batch)
      for seq in batch.nextSeq - Int64(batch.count)..<batch.nextSeq { say("a \(seq)") }
    case 24..<30: try log.writer.sync(at: 0)
    case 30..<33:
      try log.roll(at: 0) { batch throws(LogError) in
        for part in 0..<3 { try batch.add("snapshot.part", at: 0, payload: Array(#""part":\#(part)"#.utf8)) }
        try batch.add("snapshot.ended", at: 0)
      }
    case 33..<36:
      if let segment = try log.sealable().first { _ = try segment.sealed(preset: 0, storage: PiecewiseStorage()) }
    case 36..<38:
      let id = try log.putBlob(Array("blob \(log.writer.last.seq)".utf8))
      var batch = log.writer.batch()
      let seq = try batch.add("note", at: 0, payload: Array(#""check":\#(batch.nextSeq &* 7919),"blob":"\#(id)""#.utf8))
      try log.writer.append(batch)
      say("a \(seq)")
    case 40..<44:
      // The signer answers to what it was asked, and is asked again.
      if let signature = signing.flatMap({ TestSigner().signature(of: $0) }) { try log.writer.append(signature, at: 0) }
      signing = log.writer.syncedHead
    default: _ = try log.retain(LogRetention(maximumBytes: 3 << 20, maximumSegments: 6), at: 0)
    }
    say("d")
  }
}

/// What a draw leads to.
func phase(_ draw: Int) -> String {
  switch draw {
  case 0: "bulk"
  case 1..<24: "write"
  case 24..<30: "sync"
  case 30..<33: "snapshot"
  case 33..<36: "seal"
  case 36..<38: "blob"
  case 40..<44: "sign"
  default: "retain"
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
  say("usage: contrail-crash-writer DIRECTORY SEED")
  exit(64)
}
do {
  try run(arguments[1], seed: seed)
} catch {
  say("e \(error)")
  exit(1)
}
