import ContrailWire

/// The contents of a `log.synced` line.
///
///     "through":16,"chain":"9f86…0a08","sums":"d9c07a08e94672d6"
///
/// | key | value |
/// |---|---|
/// | `through` | the log was on stable storage up to this `seq` before the line was written |
/// | `chain` | the SHA-256 of the lines from the mark or segment header before up to this line |
/// | `sums` | the CRC of each of those lines; missing if there are more than 512 |
/// | `kept` | retention is about to remove the segments before this `seq` |
/// | `signed`, `key`, `signature` | a signature of the head at the `seq` that `signed` states |
struct SyncMark: Hashable, Sendable {
  var through: Int64
  /// Nil in a log without CRCs, and in one that was written before there was a chain.
  var chain: String?
  var sums: [UInt32]?
  var kept: Int64?
  var signature: Signature?

  /// A signature of a head whose hash this mark, an earlier one or a segment header states.
  struct Signature: Hashable, Sendable {
    var seq: Int64
    var key: String
    var bytes: [UInt8]
  }

  init(through: Int64) { self.through = through }

  /// Reads the payload of a mark in any valid form; nil if a value has the wrong type. Unknown keys are ignored.
  init?(payload: UnsafeRawBufferPointer) {
    var through: Int64?
    var chain: String?
    var sums: [UInt32]?
    var kept: Int64?
    var signed: Int64?
    var keyName: String?
    var signature: [UInt8]?
    var isWrong = false
    func checked<T>(_ value: T?) -> T? {
      if value == nil { isWrong = true }
      return value
    }
    var json = JSONReader(payload, maximumDepth: LogLine.maximumDepth)
    do throws(LogEnvelopeError) {
      try json.lineMembers(isBraced: false) { key, value in
        switch key.string {
        case "through": through = checked(JSONReader.integer(value, in: LogLine.seqs))
        case "chain": chain = checked(Self.text(value).flatMap { LogHead.isHash($0) ? $0 : nil })
        case "sums": sums = checked(Self.words(value))
        case "kept": kept = checked(JSONReader.integer(value, in: LogLine.seqs))
        case "signed": signed = checked(JSONReader.integer(value, in: LogLine.seqs))
        case "key": keyName = checked(Self.text(value).flatMap { LogSignature.isKeyName($0) ? $0 : nil })
        case "signature": signature = checked(Self.bytes(value))
        default: break
        }
      }
    } catch {
      return nil
    }
    guard !isWrong, let through else { return nil }
    self.through = through
    self.chain = chain
    self.sums = sums
    self.kept = kept
    switch (signed, keyName, signature) {
    case (nil, nil, nil): break
    case (let seq?, let key?, let bytes?): self.signature = Signature(seq: seq, key: key, bytes: bytes)
    default: return nil
    }
  }

  /// The payload of the line.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(ascii: "\"through\":")
    bytes.append(decimal: through)
    if let chain {
      bytes.append(ascii: ",\"chain\":\"")
      bytes.append(contentsOf: chain.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
    if let sums {
      bytes.append(ascii: ",\"sums\":\"")
      for sum in sums { Hex.append(sum, to: &bytes) }
      bytes.append(UInt8(ascii: "\""))
    }
    if let kept {
      bytes.append(ascii: ",\"kept\":")
      bytes.append(decimal: kept)
    }
    if let signature {
      bytes.append(ascii: ",\"signed\":")
      bytes.append(decimal: signature.seq)
      bytes.append(ascii: ",\"key\":\"")
      bytes.append(contentsOf: signature.key.utf8)
      bytes.append(ascii: "\",\"signature\":\"")
      for byte in signature.bytes { Hex.append(UInt64(byte), digits: 2, to: &bytes) }
      bytes.append(UInt8(ascii: "\""))
    }
    return bytes
  }

  /// Returns the contents of a string without escapes.
  private static func text(_ value: UnsafeRawBufferPointer) -> String? {
    guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else { return nil }
    return String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
  }

  private static func words(_ value: UnsafeRawBufferPointer) -> [UInt32]? {
    guard let digits = digits(value, of: 8) else { return nil }
    return stride(from: 0, to: digits.count, by: 8).map { start in
      digits[start..<start + 8].reduce(0) { $0 << 4 | UInt32($1) }
    }
  }

  private static func bytes(_ value: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let digits = digits(value, of: 2), (1...LogSignature.maximumBytes).contains(digits.count / 2) else {
      return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Returns the values of the digits in a string, in groups of `size`.
  private static func digits(_ value: UnsafeRawBufferPointer, of size: Int) -> [UInt8]? {
    guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else { return nil }
    let count = value.count - 2
    guard count % size == 0, count <= 8 * LogChain.maximumSums else { return nil }
    var digits: [UInt8] = []
    digits.reserveCapacity(count)
    for byte in value.dropFirst().dropLast() {
      guard let digit = Hex.lowercaseDigit(byte) else { return nil }
      digits.append(digit)
    }
    return digits
  }
}
