/// A line of the log that owns its bytes. ``LogLine`` is the borrowed equivalent.
package struct LogEnvelope: Hashable, Sendable {
  /// The sequence number of the line.
  package var seq: Int64
  /// The time in milliseconds of the engine's clock.
  package var at: Int64
  /// The kind of the line.
  package var kind: String
  /// The payload's keys and values without braces, for example `"request":4,"status":200`.
  package var payload: [UInt8]

  /// Creates an envelope from its parts.
  package init(seq: Int64, at: Int64, kind: String, payload: [UInt8]) {
    self.seq = seq
    self.at = at
    self.kind = kind
    self.payload = payload
  }
}

/// The reason why bytes aren't a line of a log.
package enum LogEnvelopeError: Error, Hashable, Sendable {
  /// The bytes aren't a JSON object; the offset is the position of the fault.
  case notAnObject(offset: Int)
  /// A required key is missing.
  case missing(key: String)
  /// The value of the key has the wrong type.
  case wrongType(key: String)
}

// MARK: - Any JSON form

extension LogEnvelope {
  /// Creates an envelope from a line in any valid JSON form.
  ///
  /// Keys may be in any order, with whitespace, escapes, and `1e3` for 1000.
  ///
  /// The payload consists of the other keys in their order, with each value unchanged, without surrounding whitespace.
  /// `crc` is omitted. If a key is repeated, the first one counts; of `crc` the last one, as in canonical form.
  ///
  /// - Throws: ``LogEnvelopeError``.
  /// - Complexity: O(*n*), with allocations. This is intended for lines written by hand.
  package init(json bytes: UnsafeRawBufferPointer) throws(LogEnvelopeError) {
    self = try Self.read(bytes).envelope
  }

  /// Reads a line like ``init(json:)``, and also returns the value of its key `crc`.
  static func read(
    _ bytes: UnsafeRawBufferPointer
  ) throws(LogEnvelopeError) -> (envelope: LogEnvelope, crc: UnsafeRawBufferPointer?) {
    var scanner = JSONScanner(bytes)
    var seq: Int64?
    var at: Int64?
    var kind: String?
    var crc: UnsafeRawBufferPointer?
    // Where the payload has the CRC, with the comma before it.
    var crcRange = 0..<0
    var payload: [UInt8] = []

    scanner.skipBlanks()
    guard scanner.skip(UInt8(ascii: "{")) else { throw LogEnvelopeError.notAnObject(offset: scanner.offset) }
    scanner.skipBlanks()
    var isOpen = !scanner.skip(UInt8(ascii: "}"))
    while isOpen {
      scanner.skipBlanks()
      guard let key = scanner.string() else { throw LogEnvelopeError.notAnObject(offset: scanner.offset) }
      scanner.skipBlanks()
      guard scanner.skip(UInt8(ascii: ":")) else { throw LogEnvelopeError.notAnObject(offset: scanner.offset) }
      scanner.skipBlanks()
      let start = scanner.offset
      guard scanner.skipValue() else { throw LogEnvelopeError.notAnObject(offset: scanner.offset) }
      let value = UnsafeRawBufferPointer(rebasing: bytes[start..<scanner.offset])

      switch JSONScanner.text(key) {
      case "seq" where seq == nil:
        guard let number = JSONScanner.integer(value), LogLine.seqs.contains(number) else {
          throw LogEnvelopeError.wrongType(key: "seq")
        }
        seq = number
      case "at" where at == nil:
        guard let number = JSONScanner.integer(value), LogLine.times.contains(number) else {
          throw LogEnvelopeError.wrongType(key: "at")
        }
        at = number
      case "kind" where kind == nil:
        guard let text = Self.kind(value) else { throw LogEnvelopeError.wrongType(key: "kind") }
        kind = text
      case let text:
        let start = payload.count
        if !payload.isEmpty { payload.append(UInt8(ascii: ",")) }
        payload.append(UInt8(ascii: "\""))
        payload.append(contentsOf: key)
        payload.append(UInt8(ascii: "\""))
        payload.append(UInt8(ascii: ":"))
        payload.append(contentsOf: value)
        if text == "crc" { (crc, crcRange) = (value, start..<payload.count) }
      }

      scanner.skipBlanks()
      isOpen = !scanner.skip(UInt8(ascii: "}"))
      guard !isOpen || scanner.skip(UInt8(ascii: ",")) else {
        throw LogEnvelopeError.notAnObject(offset: scanner.offset)
      }
    }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw LogEnvelopeError.notAnObject(offset: scanner.offset) }
    guard let seq else { throw LogEnvelopeError.missing(key: "seq") }
    guard let at else { throw LogEnvelopeError.missing(key: "at") }
    guard let kind else { throw LogEnvelopeError.missing(key: "kind") }
    payload.removeSubrange(crcRange)
    if crcRange.lowerBound == 0, !crcRange.isEmpty, !payload.isEmpty { payload.removeFirst() }
    return (LogEnvelope(seq: seq, at: at, kind: kind, payload: payload), crc)
  }

  /// Decodes a kind; nil if `value` isn't a string of allowed characters.
  private static func kind(_ value: UnsafeRawBufferPointer) -> String? {
    var scanner = JSONScanner(value)
    guard let inside = scanner.string() else { return nil }
    let text = JSONScanner.text(inside)
    return !text.isEmpty && text.utf8.allSatisfy(LogKind.isAllowed) ? text : nil
  }
}

extension LogEnvelopeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAnObject(let offset): "it isn't a valid JSON object at byte \(offset) of the line"
    case .missing(let key): "the key '\(key)' is missing"
    case .wrongType(let key): "the value of the key '\(key)' has the wrong type"
    }
  }
}

// MARK: - Writing

extension LogEnvelope {
  /// Appends the line in canonical form to `bytes`, including its line feed.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to append to.
  ///   - hasCRC: Whether the line ends with its CRC.
  /// - Returns: The CRC-32C of all bytes before the CRC, whether or not it is written.
  @discardableResult
  package func append(to bytes: inout [UInt8], hasCRC: Bool = true) -> UInt32 {
    payload.withUnsafeBytes { payload in
      var kind = kind
      return kind.withUTF8 { kind in
        LogLine.append(
          seq: seq, at: at, kind: UnsafeRawBufferPointer(kind), payload: payload, hasCRC: hasCRC, to: &bytes)
      }
    }
  }
}
