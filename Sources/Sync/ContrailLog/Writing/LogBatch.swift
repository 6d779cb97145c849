/// Lines that are appended to the log in one write.
///
/// A batch usually contains an input and the decisions that follow from it.
///
/// A batch knows the `seq` of each of its lines, so that a later line can refer to an earlier one as its cause. Get a
/// batch from ``LogWriter/batch()``, add lines, and pass it to ``LogWriter/append(_:)``. A batch that isn't appended
/// has no effect.
package struct LogBatch: Sendable {
  /// The lines as written to the file.
  private(set) var bytes: [UInt8] = []
  /// The `seq` of the first line, which may be a mark.
  let firstSeq: Int64
  /// The `seq` of the next line to be added.
  package private(set) var nextSeq: Int64
  /// The last line added; for an empty batch, the last line before it.
  private(set) var last: LogTail
  /// Whether the batch contains a sync mark.
  private(set) var hasSyncMark = false
  /// The number of lines added by the caller, without a mark that the writer added.
  package private(set) var count = 0
  /// The CRC of each line.
  private(set) var sums: [UInt32] = []
  /// The last mark or header: the offset of its first byte, and its index among the lines; nil without one.
  private var chainStart: (offset: Int, index: Int)?

  let hasCRC: Bool
  private let path: String

  init(after last: LogTail, hasCRC: Bool, path: String) {
    self.firstSeq = last.seq + 1
    self.nextSeq = last.seq + 1
    self.last = last
    self.hasCRC = hasCRC
    self.path = path
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - kind: The kind of the line: ASCII letters, digits, `.`, `_` and `-`.
  ///   - at: The time in milliseconds of the engine's clock.
  ///   - payload: Keys and values without braces, for example `"request":9,"status":200`. It must be valid JSON, which
  ///     isn't checked, on one line, which is checked, without the keys `seq`, `at`, `kind` and `crc`.
  /// - Returns: The `seq` of the line.
  /// - Throws: ``LogError/Code/invalidEntry``; the batch is then unchanged.
  /// - Complexity: O(*n*) in the payload.
  @discardableResult
  package mutating func add(
    _ kind: StaticString, at: Int64, payload: UnsafeRawBufferPointer
  ) throws(LogError) -> Int64 {
    try add(UnsafeRawBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount), at, payload)
  }

  /// Adds a line; see ``add(_:at:payload:)-(StaticString,_,_)``.
  @discardableResult
  package mutating func add(_ kind: StaticString, at: Int64, payload: [UInt8] = []) throws(LogError) -> Int64 {
    try payload.withBytes { bytes throws(LogError) in try add(kind, at: at, payload: bytes) }
  }

  /// Adds a line whose kind is known only at run time; see ``add(_:at:payload:)-(StaticString,_,_)``.
  @discardableResult
  package mutating func add(kind: String, at: Int64, payload: [UInt8] = []) throws(LogError) -> Int64 {
    try payload.withBytes { payload throws(LogError) in try add(kind: kind, at: at, payload: payload) }
  }

  /// Adds a line whose kind is known only at run time; see ``add(_:at:payload:)-(StaticString,_,_)``.
  package mutating func add(kind: String, at: Int64, payload: UnsafeRawBufferPointer) throws(LogError) -> Int64 {
    try Array(kind.utf8).withBytes { kind throws(LogError) in try add(kind, at, payload) }
  }

  private mutating func add(
    _ kind: UnsafeRawBufferPointer, _ at: Int64, _ payload: UnsafeRawBufferPointer
  ) throws(LogError) -> Int64 {
    guard !kind.isEmpty, kind.allSatisfy(LogKind.isAllowed) else {
      throw LogError(
        .invalidEntry, file: path, seq: nextSeq, reason: "its kind is empty or contains a character that isn't allowed")
    }
    guard payload.offset(of: UInt8(ascii: "\n")) == nil, payload.first != UInt8(ascii: ",") else {
      throw LogError(
        .invalidEntry, file: path, seq: nextSeq, reason: "its payload contains a line feed or starts with a comma")
    }
    guard LogLine.times.contains(at) else {
      throw LogError(.invalidEntry, file: path, seq: nextSeq, reason: "its time \(at) has more than 18 digits")
    }
    guard payload.count <= LogReader.Options.defaultMaximumLineBytes / 2 else {
      throw LogError(
        .invalidEntry, file: path, seq: nextSeq, reason: "its payload of \(payload.count) bytes is too long")
    }
    count += 1
    return addChecked(kind, at, payload)
  }

  /// Adds a mark stating that all lines up to its `through` are on stable storage.
  mutating func addSynced(_ mark: SyncMark, at: Int64) {
    addMark(LogKind.logSynced, at: at, payload: mark.payload)
    hasSyncMark = true
  }

  /// Adds a line of the log itself, which isn't counted.
  mutating func addMark(_ kind: StaticString, at: Int64, payload: [UInt8]) {
    chainStart = (bytes.count, sums.count)
    let kind = UnsafeRawBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount)
    _ = payload.withBytes { addChecked(kind, at, $0) }
  }

  private mutating func addChecked(
    _ kind: UnsafeRawBufferPointer, _ at: Int64, _ payload: UnsafeRawBufferPointer
  ) -> Int64 {
    let seq = nextSeq
    let crc = LogLine.append(seq: seq, at: at, kind: kind, payload: payload, hasCRC: hasCRC, to: &bytes)
    last = LogTail(seq: seq, crc: crc, at: at)
    sums.append(crc)
    nextSeq += 1
    return seq
  }

  /// Adds these lines to the chain of the lines before them.
  func extend(_ chain: inout LogChain) {
    if chainStart != nil { chain = LogChain() }
    let start = chainStart ?? (0, 0)
    bytes.withBytes { chain.add(UnsafeRawBufferPointer(rebasing: $0[start.offset...]), crcs: sums[start.index...]) }
  }
}
