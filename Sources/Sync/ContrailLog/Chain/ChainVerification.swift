import ContrailWire

/// Checks the chain of hashes of a log, and its signatures.
///
/// It reads the log once, from its first line on, and stops at the first fault. The bodies in blobs are named by their hash in a
/// line; ``LogVerification`` compares them.
package struct ChainVerification: Sendable {
  /// The first change that was found.
  package struct Fault: Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
      /// The bytes of a line, or the order of lines or segments.
      case damaged
      /// The hash that a mark or a segment header states differs from that of the lines before it.
      case changed
      /// A mark or header has no hash, but earlier ones have.
      case chainMissing
      /// A signature doesn't fit.
      case signatureWrong
      /// Lines before the first one were removed, but not by retention.
      case startRemoved
      /// The log ends before the receipt's line.
      case endRemoved
      /// The log has another hash than the receipt.
      case receiptWrong
    }

    package let code: Code
    /// The file of the first of these lines, or of the line after which they are missing.
    package let file: String
    /// The number of the first of these lines in the file; nil if it is missing.
    package let line: Int?
    /// The lines among which the first change is: one line if it is known exactly.
    package let seqs: ClosedRange<Int64>
    /// Lines of which one may have been changed or removed instead: nothing covers them yet, and a mark among them could account for the others.
    /// Nil for faults other than ``Code/startRemoved``.
    package var otherwise: ClosedRange<Int64>?
    /// The reason, as a clause without a full stop.
    package let reason: String
  }

  /// Lines that a failed sync lost, and the lines before them that no hash covers for that reason.
  package struct Gap: Hashable, Sendable {
    package let seqs: ClosedRange<Int64>
  }

  /// The result of checking one signature.
  package enum SignatureResult: Sendable {
    case valid
    case invalid
    /// The key isn't one of those that were given.
    case otherKey
  }

  /// Checks a signature of bytes by a key, which is given by its name.
  package typealias SignatureCheck = (_ key: String, _ statement: [UInt8], _ signature: [UInt8]) -> SignatureResult

  /// The number of valid lines up to the first fault.
  package private(set) var lineCount = 0
  /// The number of bytes of those lines, after decompression.
  package private(set) var byteCount: Int64 = 0
  /// The first and the last of those lines.
  package private(set) var seqs: ClosedRange<Int64>?
  /// The lines that a hash covers; nil for a log without hashes. ``gaps`` are not covered.
  package private(set) var chained: ClosedRange<Int64>?
  /// The last line that a valid signature covers. It covers all lines of ``chained`` up to it.
  package private(set) var signedThrough: Int64?
  /// The number of signatures, valid or not checked.
  package private(set) var signatureCount = 0
  /// The names of the keys of those signatures, in the order of their first signature; at most 16.
  package private(set) var keys: [String] = []
  /// The names of keys among them that weren't given, if signatures were checked.
  package private(set) var otherKeys: [String] = []
  /// The lines without hashes because a sync failed; at most 1000.
  package private(set) var gaps: [Gap] = []
  /// The end of the lines before the first one, with its hash, as the first header states it; nil if nothing was removed.
  package private(set) var removed: LogHead?
  /// The line up to which retention removed segments, according to the newest mark about it; and whether a signature covers that mark.
  package private(set) var kept: (seq: Int64, isSigned: Bool)?
  /// The newest head that a mark or header states. It can be kept elsewhere and passed as `receipt` later.
  package private(set) var head: LogHead?
  /// The first fault; nil if everything is as it was written.
  package private(set) var fault: Fault?

  private let receipt: LogHead?
  private let isChecked: Bool
  private var receiptFound: String?
  /// The lines since the last mark or header.
  private var chain = LogChain()
  private var chainStart: Int64 = 0
  /// The heads that were stated since the last signature, in their order.
  private var stated: [LogHead] = []
  private var keptMark: (seq: Int64, mark: Int64)?

  /// Hostile logs don't grow the memory.
  private static let maximumStated = 1 << 14
  private static let maximumGaps = 1000
  private static let maximumKeys = 16

  /// Checks a log.
  ///
  /// - Parameters:
  ///   - path: A file, compressed or not, or a directory. A directory must contain the whole log, apart from what its retention removed;
  ///     a file may be a part of a log.
  ///   - receipt: A head that the log must contain.
  ///   - storage: The file system.
  ///   - options: The options for reading.
  ///   - check: Checks a signature; nil to check none.
  /// - Throws: ``LogError`` if the log can't be read at all.
  /// - Complexity: O(*n*) in the bytes, with the memory of one block or one line.
  package init(
    path: String, receipt: LogHead? = nil, storage: any LogStorage = SystemStorage(),
    options: LogReader.Options = LogReader.Options(), check: SignatureCheck? = nil
  ) throws(LogError) {
    self.receipt = receipt
    isChecked = check != nil
    let reader = try LogReader(path: path, storage: storage, options: options)
    do throws(LogError) {
      while fault == nil, let line = try reader.next() { take(line, reader, check) }
    } catch {
      guard error.code != .unreadable else { throw error }
      guard seqs != nil || error.isOfBytes || error.code == .chainBroken else { throw error }
      let next = seqs.map { $0.upperBound + 1 } ?? 0
      let seq = error.seq ?? next
      let isBroken = error.code == .chainBroken || error.code == .sequenceBroken
      // If lines are missing, the one after them is the first that doesn't fit. If a header doesn't fit the line before it, any line that no
      // hash covers may have been changed.
      let isMissing = isBroken && seq > next
      let first = error.code == .chainBroken && seq == next ? min(unproven, seq) : min(next, seq)
      fault = Fault(
        code: .damaged, file: error.file, line: isMissing ? nil : error.line,
        seqs: isMissing ? next...seq - 1 : first...max(seq, next), reason: error.reason)
    }
    byteCount = reader.byteCount
    finish(reader)
  }

  // MARK: Lines

  private mutating func take(_ line: LogLine, _ reader: LogReader, _ check: SignatureCheck?) {
    if line.isKind(LogKind.logSynced) {
      take(mark: line, reader, check)
      chain = LogChain()
      chainStart = line.seq
    } else if line.isKind(LogKind.segmentOpened) {
      take(header: line, reader)
      chain = LogChain()
      chainStart = line.seq
    }
    // The byte after a terminated line is its line feed.
    let bytes = UnsafeRawBufferPointer(
      start: line.bytes.baseAddress, count: line.bytes.count + (reader.isTerminated ? 1 : 0))
    chain.add(bytes, crc: reader.last?.crc ?? 0)
    guard fault == nil else { return }
    lineCount += 1
    seqs = (seqs?.lowerBound ?? line.seq)...line.seq
  }

  private mutating func take(header line: LogLine, _ reader: LogReader) {
    let previous: LogSegmentHeader.Previous?
    do throws(LogEnvelopeError) {
      previous = try LogSegmentHeader(payload: line.payload, hasCRC: line.crc != nil).previous
    } catch {
      return refuse(.damaged, line.seq...line.seq, at: line, reader, error.description)
    }
    guard let last = seqs?.upperBound else {
      if let previous, let chain = previous.chain {
        removed = LogHead(seq: previous.seq, chain: chain)
        state(LogHead(seq: previous.seq, chain: chain))
      } else if let previous {
        removed = LogHead(seq: previous.seq, chain: "")
      }
      return
    }
    guard let previous else {
      return refuse(.damaged, line.seq...line.seq, at: line, reader, "it doesn't state which segment it follows")
    }
    guard let stated = previous.chain else {
      if chained != nil {
        refuse(
          .chainMissing, line.seq...line.seq, at: line, reader,
          "it has no 'previousChain', but earlier lines have hashes")
      }
      return
    }
    guard previous.seq == last else {
      guard previous.seq > last, last >= previous.syncedSeq else {
        return refuse(
          .damaged, line.seq...line.seq, at: line, reader,
          "it follows seq \(previous.seq), but the line before it has seq \(last)")
      }
      // A sync failed, and lines that the hash covers were lost.
      if gaps.count < Self.maximumGaps { gaps.append(Gap(seqs: chainStart...max(chainStart, previous.seq))) }
      return
    }
    guard stated == chain.value else {
      return refuse(
        .changed, unproven...line.seq, at: line, reader,
        "the hash in the segment header at seq \(line.seq) isn't that of the lines before it")
    }
    cover(LogHead(seq: last, chain: stated))
  }

  private mutating func take(mark line: LogLine, _ reader: LogReader, _ check: SignatureCheck?) {
    guard let last = seqs?.upperBound else {
      return refuse(.damaged, line.seq...line.seq, at: line, reader, "no segment header precedes it")
    }
    guard let mark = SyncMark(payload: line.payload) else {
      return refuse(.damaged, line.seq...line.seq, at: line, reader, "a value of the mark has the wrong form")
    }
    guard let stated = mark.chain else {
      if chained != nil {
        refuse(.chainMissing, line.seq...line.seq, at: line, reader, "it has no 'chain', but earlier marks have")
      }
      return
    }
    guard stated == chain.value else { return refuse(changedBefore: line, mark, reader) }
    cover(LogHead(seq: last, chain: stated))
    if let kept = mark.kept { keptMark = (kept, line.seq) }
    if let signature = mark.signature { take(signature, at: line, reader, check) }
  }

  /// Finds the first changed line by the CRCs that the mark states.
  private mutating func refuse(changedBefore line: LogLine, _ mark: SyncMark, _ reader: LogReader) {
    // If the first CRC differs, a mark was removed or changed, and the CRCs belong to other lines.
    if let sums = mark.sums, let found = chain.sums, let first = sums.first, first == found.first, sums != found {
      let index = found.indices.first { $0 >= sums.count || sums[$0] != found[$0] } ?? found.count
      let seq = chainStart + Int64(index)
      let reason =
        index < found.count
        ? "its crc isn't the one that the mark at seq \(line.seq) states" : "lines before it are missing"
      return refuse(.changed, seq...seq, at: line, reader, reason)
    }
    refuse(
      .changed, unproven...line.seq, at: line, reader,
      "the hash in the mark at seq \(line.seq) isn't that of the lines before it")
  }

  /// The first line that no hash covers so far.
  private var unproven: Int64 { chained == nil ? seqs?.lowerBound ?? 0 : chainStart }

  private mutating func take(
    _ signature: SyncMark.Signature, at line: LogLine, _ reader: LogReader, _ check: SignatureCheck?
  ) {
    // The line that stated its hash was removed, or lost by a failed sync.
    let isGone = signature.seq < (seqs?.lowerBound ?? 0) && signature.seq != removed?.seq
    if isGone || gaps.contains(where: { $0.seqs.contains(signature.seq) }) { return }
    guard signature.seq < line.seq, let head = stated.last(where: { $0.seq <= signature.seq }),
      head.seq == signature.seq
    else {
      return refuse(
        .signatureWrong, unsigned(through: line.seq), at: line, reader,
        "the mark at seq \(line.seq) signs seq \(signature.seq), for which no line states a hash")
    }
    if !keys.contains(signature.key), keys.count < Self.maximumKeys { keys.append(signature.key) }
    if let check {
      switch check(signature.key, head.statement, signature.bytes) {
      case .valid: signedThrough = max(signedThrough ?? head.seq, head.seq)
      case .invalid:
        return refuse(
          .signatureWrong, unsigned(through: line.seq), at: line, reader,
          "the signature in the mark at seq \(line.seq) isn't one of the lines up to seq \(head.seq)")
      case .otherKey:
        if !otherKeys.contains(signature.key), otherKeys.count < Self.maximumKeys { otherKeys.append(signature.key) }
      }
    }
    signatureCount += 1
    stated.removeAll { $0.seq < signature.seq }
  }

  /// The lines after the last signed one.
  private func unsigned(through seq: Int64) -> ClosedRange<Int64> {
    let first = max(signedThrough.map { $0 + 1 } ?? 0, seqs?.lowerBound ?? 0)
    return min(first, seq)...seq
  }

  /// Notes that the lines up to a head have its hash.
  private mutating func cover(_ head: LogHead) {
    chained = (chained?.lowerBound ?? chainStart)...head.seq
    state(head)
  }

  private mutating func state(_ head: LogHead) {
    self.head = head
    if head.seq == receipt?.seq { receiptFound = head.chain }
    if stated.count >= 2 * Self.maximumStated { stated.removeFirst(Self.maximumStated) }
    stated.append(head)
  }

  private mutating func refuse(
    _ code: Fault.Code, _ seqs: ClosedRange<Int64>, at line: LogLine, _ reader: LogReader, _ reason: String
  ) {
    // The lines before a mark are in its file; those before a header aren't.
    let number = reader.line - Int(clamping: line.seq - seqs.lowerBound)
    fault = Fault(code: code, file: reader.file, line: number > 0 ? number : nil, seqs: seqs, reason: reason)
  }

  // MARK: The whole log

  private mutating func finish(_ reader: LogReader) {
    kept = keptMark.map { ($0.seq, $0.mark <= (signedThrough ?? -1)) }
    guard fault == nil, let seqs else { return }
    let file = reader.file
    if reader.isDirectory, chained != nil, seqs.lowerBound > kept?.seq ?? 0 {
      let first = kept?.seq ?? 0
      // Retention states what it removed in a mark, which may have been changed, or removed with the end of the log.
      let proven = isChecked ? signedThrough : chained?.upperBound
      let end = seqs.upperBound + 1
      let otherwise = min(max(proven.map { $0 + 1 } ?? 0, seqs.lowerBound), end)...end
      let missing =
        kept == nil
        ? "these lines are missing, and no mark states that retention removed any"
        : "these lines are missing; retention removed those before seq \(first) only"
      let reason =
        "\(missing), unless a mark from seq \(otherwise.lowerBound) on, where nothing is proven, was changed or removed"
      fault = Fault(
        code: .startRemoved, file: file, line: nil, seqs: first...seqs.lowerBound - 1, otherwise: otherwise,
        reason: reason)
      return
    }
    guard let receipt, receiptFound != receipt.chain else { return }
    if receipt.seq > seqs.upperBound {
      fault = Fault(
        code: .endRemoved, file: file, line: nil, seqs: seqs.upperBound + 1...receipt.seq,
        reason: "these lines are missing; the receipt states that the log had them")
    } else if receipt.seq != seqs.upperBound || chain.value != receipt.chain {
      fault = Fault(
        code: .receiptWrong, file: file, line: nil,
        // The line after it states its hash.
        seqs: unsigned(through: min(receipt.seq + 1, seqs.upperBound)),
        reason: "the log doesn't have the hash of the receipt at seq \(receipt.seq)")
    }
  }
}
