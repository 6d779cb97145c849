import ContrailWire

/// The contents of a segment's first line, `segment.opened`.
///
///     "format":1,"first":4711,"previousSeq":4710,"previousCrc":"0badf00d","previousSynced":4710,
///     "previousChain":"9f86…0a08","crc":"5eed1e55"
///
/// If this line ends with a CRC, each later line must as well. A log written by hand has `"crc":false` here instead;
/// then CRCs are neither checked nor required.
///
/// The keys about the previous segment are present if there was one. If a sync failed, `previousSynced` is less than
/// `previousSeq`: the lines between may be missing from the disk, and the following snapshot replaces them.
package struct LogSegmentHeader: Hashable, Sendable {
  /// The end of the previous segment.
  package struct Previous: Hashable, Sendable {
    /// The `seq` of its last line.
    package var seq: Int64
    /// The CRC-32C of its last line; nil in a log without CRCs.
    package var crc: UInt32?
    /// The `seq` of the last line that was certainly on stable storage.
    package var syncedSeq: Int64
    /// The hash of its lines since its last mark, as ``LogHead/chain``; nil without CRCs, and in logs that were written before there
    /// was a chain.
    package var chain: String?

    /// Creates a value from its parts.
    package init(seq: Int64, crc: UInt32?, syncedSeq: Int64, chain: String? = nil) {
      self.seq = seq
      self.crc = crc
      self.syncedSeq = syncedSeq
      self.chain = chain
    }
  }

  /// The version of the log's format; see ``LogFormat``.
  package var format: Int
  /// Whether each line has a CRC.
  package var hasCRC: Bool
  /// The `seq` of this line.
  package var firstSeq: Int64
  /// The end of the previous segment; nil if there was none.
  package var previous: Previous?

  /// Creates a header from its parts.
  package init(format: Int = LogFormat.currentVersion, hasCRC: Bool, firstSeq: Int64, previous: Previous? = nil) {
    self.format = format
    self.hasCRC = hasCRC
    self.firstSeq = firstSeq
    self.previous = previous
  }

  /// Creates a header from the payload of a `segment.opened` line in any valid form. Unknown keys are ignored.
  ///
  /// - Throws: ``LogEnvelopeError``.
  init(payload: UnsafeRawBufferPointer, hasCRC: Bool) throws(LogEnvelopeError) {
    var format: Int?
    var firstSeq: Int64?
    var previousSeq: Int64?
    var previousSynced: Int64?
    var previousCRC: UInt32?
    var previousChain: String?
    var wrongKey: String?
    func integer(_ value: UnsafeRawBufferPointer, _ key: String) -> Int64? {
      let number = JSONReader.integer(value, in: LogLine.seqs)
      if number == nil { wrongKey = wrongKey ?? key }
      return number
    }
    var json = JSONReader(payload, maximumDepth: LogLine.maximumDepth)
    try json.lineMembers(isBraced: false) { key, value in
      let key = key.string
      switch key {
      case "format": format = integer(value, key).flatMap { Int(exactly: $0) }
      case "first": firstSeq = integer(value, key)
      case "previousSeq": previousSeq = integer(value, key)
      case "previousSynced": previousSynced = integer(value, key)
      case "previousCrc":
        let digits = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
        previousCRC = value.count == 10 ? UInt32(digits, radix: 16) : nil
        if previousCRC == nil { wrongKey = wrongKey ?? key }
      case "previousChain":
        let digits = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
        previousChain = value.count == 66 && LogHead.isHash(digits) ? digits : nil
        if previousChain == nil { wrongKey = wrongKey ?? key }
      default: break
      }
    }
    if let wrongKey { throw .wrongType(key: wrongKey) }
    guard let format else { throw .missing(key: "format") }
    guard let firstSeq else { throw .missing(key: "first") }
    self.init(format: format, hasCRC: hasCRC, firstSeq: firstSeq)
    if let previousSeq {
      previous = Previous(
        seq: previousSeq, crc: previousCRC, syncedSeq: previousSynced ?? previousSeq, chain: previousChain)
    }
  }

  /// The payload of the line, including `"crc":false` if lines have no CRC.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "\"format\":")
    bytes.append(decimal: Int64(format))
    bytes.append(ascii: ",\"first\":")
    bytes.append(decimal: firstSeq)
    if let previous {
      bytes.append(ascii: ",\"previousSeq\":")
      bytes.append(decimal: previous.seq)
      if let crc = previous.crc {
        bytes.append(ascii: ",\"previousCrc\":\"")
        Hex.append(crc, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(ascii: ",\"previousSynced\":")
      bytes.append(decimal: previous.syncedSeq)
      if let chain = previous.chain {
        bytes.append(ascii: ",\"previousChain\":\"")
        bytes.append(contentsOf: chain.utf8)
        bytes.append(UInt8(ascii: "\""))
      }
    }
    if !hasCRC { bytes.append(ascii: ",\"crc\":false") }
    return bytes
  }
}

// MARK: - First line

extension LogSegmentHeader {
  /// Reads the first line of a segment and checks its CRC, format, and `seq`.
  ///
  /// Damage is detected first: a changed digit must not be reported as a newer format, nor a changed letter as another
  /// type of file.
  init(firstLine bytes: UnsafeRawBufferPointer, file: String, format: LogFormat) throws(LogError) {
    func fault(_ code: LogError.Code, _ reason: String) -> LogError {
      LogError(code, file: file, line: 1, reason: reason)
    }
    let carried = LogLine.carriedCRC(bytes)
    if let carried {
      let computed = LogLine.computedCRC(bytes)
      guard carried == computed else { throw .crc(carried: carried, computed: computed, file: file, line: 1, seq: nil) }
    }
    let envelope: LogEnvelope
    let crc: UnsafeRawBufferPointer?
    do throws(LogEnvelopeError) {
      (envelope, crc) = try LogEnvelope.read(bytes)
    } catch {
      let looksOurs = carried != nil || bytes.starts(with: "{\"seq\":".utf8)
      throw fault(looksOurs ? .damagedLine : .notALog, error.description)
    }
    guard envelope.kind == LogKind.segmentOpened.description else {
      throw fault(.notALog, "the first line isn't segment.opened")
    }
    guard carried != nil || crc?.elementsEqual("false".utf8) == true else {
      if bytes.last == UInt8(ascii: "\r") { throw fault(.changedLineEnds, LogError.changedLineEnds) }
      throw fault(.damagedLine, "it has neither a crc at its end nor \"crc\":false")
    }
    let header: LogSegmentHeader
    do throws(LogEnvelopeError) {
      header = try envelope.payload.withBytes { payload throws(LogEnvelopeError) in
        try LogSegmentHeader(payload: payload, hasCRC: carried != nil)
      }
    } catch {
      throw fault(.damagedLine, error.description)
    }
    guard header.format <= format.version else {
      throw fault(.newerFormat, "it has format \(header.format); this version supports formats up to \(format.version)")
    }
    guard header.firstSeq == envelope.seq else {
      throw fault(.damagedLine, "its 'first' is \(header.firstSeq), but its 'seq' is \(envelope.seq)")
    }
    self = header
  }
}
