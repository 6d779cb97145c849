import ContrailEngine
import ContrailLog
import ContrailTestSupport
import ContrailWire

// A signer that may be slow, fail or never answer, and the proof that an honest log is never refused.

extension Simulation {
  /// Whether the log is signed: in one of three flights.
  var signs: Bool { script.seed % 3 == 1 && tape == nil }

  func sign(_ head: LogHead) {
    signatureCount += 1
    tally.count("signer.asked")
    let draw = Digest.mix(script.seed &+ signatureCount) % 16
    let signature = Swift.Result<[UInt8], SigningFailure>.success(signer.signature(of: head)?.bytes ?? [])
    switch draw {
    case 0:
      tally.count("signer.failed")
      add(.signature(head, .failure(.failed("the key is locked"))), at: trueMS + 40)
    case 1:
      tally.count("signer.slow")
      add(.signature(head, signature), at: trueMS + 8000)
    case 2:
      // It isn't asked again in this life.
      if signatureCount % 4 == 0 { tally.count("signer.hangs") } else { add(.signature(head, signature), at: trueMS) }
    default: add(.signature(head, signature), at: trueMS + Int64(draw) * 30)
    }
  }

  /// Judges the hashes and signatures of the log, however the last process ended.
  func judgeChain() {
    do {
      let chain = try ChainVerification(path: Self.path, storage: disk, check: signer.check)
      tally.count("chain.verified")
      if chain.signedThrough != nil { tally.count("chain.signed") }
      if !chain.gaps.isEmpty { tally.count("chain.gap") }
      if let fault = chain.fault {
        judge.find(.evidence, "an honest log is refused at seq \(fault.seqs): \(fault.reason)")
      }
    } catch {
      judge.find(.evidence, "the log can't be verified: \(error)")
    }
  }

  /// Changes the second line of the newest segment.
  func changeALine() {
    guard let path = disk.newestSegment else { return }
    var lines = disk.contents(path).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    guard lines.count > 1, var line = lines[1].withUnsafeBytes({ try? LogEnvelope(json: $0) }) else { return }
    line.at += 1
    var bytes: [UInt8] = []
    line.append(to: &bytes, hasCRC: true)
    lines[1] = Array(bytes.dropLast())
    disk.put(Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")], path)
  }
}
