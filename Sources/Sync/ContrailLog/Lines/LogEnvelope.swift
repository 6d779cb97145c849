import ContrailWire

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
  /// A line of an older format can't be converted. The reason is a clause without any of the payload.
  case notConverted(reason: String)
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
    var seq: Int64?
    var at: Int64?
    var kind: String?
    var crc: UnsafeRawBufferPointer?
    // Where the payload has the CRC, with the comma before it.
    var crcRange = 0..<0
    var payload: [UInt8] = []
    var json = JSONReader(bytes, maximumDepth: LogLine.maximumDepth)
    // A value of the wrong type is reported after faults of the JSON.
    var wrongKey: String?
    try json.lineMembers(isBraced: true) { key, value in
      switch key.string {
      case _ where wrongKey != nil: break
      case "seq" where seq == nil:
        seq = JSONReader.integer(value, in: LogLine.seqs)
        if seq == nil { wrongKey = "seq" }
      case "at" where at == nil:
        at = JSONReader.integer(value, in: LogLine.times)
        if at == nil { wrongKey = "at" }
      case "kind" where kind == nil:
        kind = Self.kind(value)
        if kind == nil { wrongKey = "kind" }
      case let text:
        let start = payload.count
        if !payload.isEmpty { payload.append(UInt8(ascii: ",")) }
        payload.append(UInt8(ascii: "\""))
        payload.append(contentsOf: key.bytes)
        payload.append(UInt8(ascii: "\""))
        payload.append(UInt8(ascii: ":"))
        payload.append(contentsOf: value)
        if text == "crc" { (crc, crcRange) = (value, start..<payload.count) }
      }
    }
    if let wrongKey { throw LogEnvelopeError.wrongType(key: wrongKey) }
    guard let seq else { throw LogEnvelopeError.missing(key: "seq") }
    guard let at else { throw LogEnvelopeError.missing(key: "at") }
    guard let kind else { throw LogEnvelopeError.missing(key: "kind") }
    payload.removeSubrange(crcRange)
    if crcRange.lowerBound == 0, !crcRange.isEmpty, !payload.isEmpty { payload.removeFirst() }
    return (LogEnvelope(seq: seq, at: at, kind: kind, payload: payload), crc)
  }

  /// Decodes a kind; nil if `value` isn't a string of allowed characters.
  private static func kind(_ value: UnsafeRawBufferPointer) -> String? {
    var json = JSONReader(value)
    guard let text = try? json.string() else { return nil }
    return !text.isEmpty && text.utf8.allSatisfy(LogKind.isAllowed) ? text : nil
  }
}

// MARK: - JSON

extension LogLine {
  /// The maximum nesting depth of a line, the same as in Foundation: a body in it may have the depth of a reader.
  package static let maximumDepth = 512

  /// Whether `bytes` are one valid JSON value without line breaks. Whitespace around the value is allowed.
  ///
  /// - Complexity: O(*n*).
  package static func isOneLineValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var json = JSONReader(bytes, maximumDepth: maximumDepth)
    do throws(JSONError) {
      try json.skipValue()
      try json.end()
    } catch {
      return false
    }
    return !bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }
}

extension JSONReader {
  /// Reads the members of a line, or of a payload, which has no braces. The values are without surrounding whitespace.
  ///
  /// - Throws: ``LogEnvelopeError/notAnObject(offset:)``.
  mutating func lineMembers(
    isBraced: Bool, _ member: (JSONKey, UnsafeRawBufferPointer) -> Void
  ) throws(LogEnvelopeError) {
    do throws(JSONError) {
      if isBraced {
        try object { (key, json) throws(JSONError) in member(key, json.slice(try json.skipValue())) }
        try end()
      } else {
        try members { (key, json) throws(JSONError) in member(key, json.slice(try json.skipValue())) }
      }
    } catch {
      throw .notAnObject(offset: error.offset)
    }
  }

  /// Returns an integer in any notation (`7`, `7.0`, `70e-1`); nil for any other value.
  static func integer(_ text: UnsafeRawBufferPointer, in range: ClosedRange<Int64>) -> Int64? {
    var json = JSONReader(text)
    guard let value = try? json.int64(), range.contains(value) else { return nil }
    return value
  }
}

extension LogEnvelopeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAnObject(let offset): "it isn't a valid JSON object at byte \(offset) of the line"
    case .missing(let key): "the key '\(key)' is missing"
    case .notConverted(let reason): reason
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
