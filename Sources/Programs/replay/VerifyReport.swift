import ContrailLog
import ContrailReplay
import ContrailWire

/// The result of `replay verify` for one recording.
struct VerifyReport {
  private let verification: Verification
  /// The hashes and signatures; nil if the recording can't be read at all.
  private let chain: ChainVerification?
  private let areKeysGiven: Bool

  init(path: String, keys: PublicKeys, receipt: LogHead?) {
    verification = Verification(path: path)
    areKeysGiven = !keys.isEmpty
    let check: ChainVerification.SignatureCheck? = keys.isEmpty ? nil : { keys.check($0, $1, $2) }
    chain = try? ChainVerification(path: path, receipt: receipt, check: check)
  }

  /// The first change; nil for damage, which the lines themselves show.
  private var change: ChainVerification.Fault? { chain?.fault.flatMap { $0.code == .damaged ? nil : $0 } }

  /// Missing lines between two others.
  private var missing: ChainVerification.Fault? {
    chain?.fault.flatMap { $0.code == .damaged && $0.line == nil ? $0 : nil }
  }

  /// Whether keys were given, and none of them signed one of these lines. The first lines of a part can state a signature of lines before it.
  private var isUnsigned: Bool {
    guard areKeysGiven else { return false }
    guard let signed = chain?.signedThrough, let seqs = chain?.seqs else { return true }
    return signed < seqs.lowerBound
  }

  var exitCode: Int32 {
    if change != nil { return 1 }
    if verification.fault != nil || chain == nil { return 2 }
    return isUnsigned ? 1 : 0
  }

  // MARK: Text

  var text: String {
    guard let chain else { return verification.text }
    var head = verification.fault == nil ? Words.page(verification.text) : verification.text
    if let change {
      let place = change.line.map { "\(change.file):\($0)" } ?? change.file
      let verdict =
        "\(verification.path)  changed: \(Self.words(change.seqs)), \(place)\n  reason    \(change.reason)\n"
      let readable = "  readable  \(verification.contents)\n"
      head = Words.page(verdict) + (verification.fault == nil ? Words.page(readable) : head)
    }
    return head + Words.page(lines(chain).map { "  \($0)\n" }.joined()) + receiptLines(chain)
  }

  private func lines(_ chain: ChainVerification) -> [String] {
    var lines: [String] = []
    if let missing { lines.append("missing   \(Self.words(missing.seqs)), after the last line of \(missing.file)") }
    guard let covered = chain.chained else {
      if change == nil, let last = chain.seqs?.upperBound, last > 0 || areKeysGiven {
        lines.append("hashes    none: nothing shows whether a line was changed together with its crc")
      }
      if isUnsigned { lines.append("signed    no line") }
      return lines
    }
    lines.append("hashes    cover \(Self.words(covered))\(rest(after: covered.upperBound, in: chain))")
    if let first = chain.seqs?.lowerBound, first < covered.lowerBound {
      lines.append("before    \(Self.words(first...covered.lowerBound - 1)): written before the log had hashes")
    }
    for gap in chain.gaps {
      lines.append("gap       \(Self.words(gap.seqs)): a sync failed and lines were lost, so that no hash covers these")
    }
    if let signed = chain.signedThrough {
      let none = isUnsigned ? ", none of these lines" : rest(after: signed, in: chain)
      lines.append("signed    through seq \(signed), \(Words.count(chain.signatureCount, "signature"))\(none)")
    } else if areKeysGiven {
      lines.append("signed    no line by a key that was given")
    } else if chain.signatureCount > 0 {
      lines.append(
        "signed    \(Words.count(chain.signatureCount, "signature")) by \(chain.keys.joined(separator: ", ")), not checked: "
          + "give the public key with --public-key")
    } else {
      lines.append("signed    no: whoever has the log can change it and make its hashes anew")
    }
    if !chain.otherKeys.isEmpty {
      lines.append("keys      signatures by other keys, not checked: \(chain.otherKeys.joined(separator: ", "))")
    }
    if let removed = chain.removed {
      lines.append("removed   lines through seq \(removed.seq) are elsewhere; their hash is in the first line")
      if let kept = chain.kept, areKeysGiven, !kept.isSigned {
        lines.append("          the mark by which retention removed them isn't signed yet")
      }
    }
    return lines
  }

  private func rest(after seq: Int64, in chain: ChainVerification) -> String {
    guard change == nil, let last = chain.seqs?.upperBound, last > seq else { return "" }
    return "; not yet \(Self.words(seq + 1...last))"
  }

  /// The receipt is longer than a line has room for beside a heading.
  private func receiptLines(_ chain: ChainVerification) -> String {
    guard change == nil, verification.fault == nil, let head = chain.head else { return "" }
    return "  receipt\n  \(head.text)\n"
  }

  private static func words(_ seqs: ClosedRange<Int64>) -> String {
    seqs.count == 1 ? "seq \(seqs.lowerBound)" : "seq \(seqs.lowerBound) to \(seqs.upperBound)"
  }

  // MARK: JSON

  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("path", verification.path)
      json.member("status", Int64(exitCode))
      json.member("lines", Int64(verification.lineCount))
      if let fault = verification.fault {
        json.key("damage")
        json.object { json in
          Self.write(fault.code, fault.file, fault.line, fault.reason, &json)
          if let seq = fault.seq { json.member("seq", seq) }
        }
      }
      if let change {
        json.key("change")
        json.object { json in
          Self.write(change.code.rawValue, change.file, change.line, change.reason, &json)
          json.member("from", change.seqs.lowerBound)
          json.member("through", change.seqs.upperBound)
        }
      }
      if let missing {
        json.key("missing")
        json.object { json in
          json.member("after", missing.file)
          json.member("from", missing.seqs.lowerBound)
          json.member("through", missing.seqs.upperBound)
        }
      }
      if let chain { write(chain, &json) }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  private static func write(
    _ code: String, _ file: String, _ line: Int?, _ reason: String, _ json: inout JSONWriter
  ) {
    json.member("code", code)
    json.member("file", file)
    if let line { json.member("line", Int64(line)) }
    json.member("reason", reason)
  }

  private func write(_ chain: ChainVerification, _ json: inout JSONWriter) {
    func range(_ name: StaticString, _ seqs: ClosedRange<Int64>?) {
      guard let seqs else { return }
      json.key(name)
      json.array { json in
        json.value(seqs.lowerBound)
        json.value(seqs.upperBound)
      }
    }
    range("seqs", chain.seqs)
    range("hashed", chain.chained)
    if let signed = chain.signedThrough { json.member("signedThrough", signed) }
    json.member("signatures", Int64(chain.signatureCount))
    json.key("keys")
    json.array { json in chain.keys.forEach { json.value($0) } }
    json.key("otherKeys")
    json.array { json in chain.otherKeys.forEach { json.value($0) } }
    json.key("gaps")
    json.array { json in
      for gap in chain.gaps {
        json.array { json in
          json.value(gap.seqs.lowerBound)
          json.value(gap.seqs.upperBound)
        }
      }
    }
    if let removed = chain.removed { json.member("removedThrough", removed.seq) }
    if change == nil, verification.fault == nil, let head = chain.head { json.member("receipt", head.text) }
  }
}
