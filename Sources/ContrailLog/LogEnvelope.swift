/// A line of the log that owns its bytes: what ``LogLine`` is without the view into a buffer.
public struct LogEnvelope: Hashable, Sendable {
  /// The place in the log.
  public var seq: Int64
  /// When, in milliseconds of the engine's clock.
  public var at: Int64
  /// What kind of line it is.
  public var kind: String
  /// The payload's keys and values without braces, for example `"request":4,"status":200`.
  public var payload: [UInt8]

  /// Makes an envelope of its parts.
  public init(seq: Int64, at: Int64, kind: String, payload: [UInt8]) {
    self.seq = seq
    self.at = at
    self.kind = kind
    self.payload = payload
  }
}

// MARK: - Any spelling

extension LogEnvelope {
  /// Why bytes aren't a line of a log.
  public enum Fault: Error, Hashable, Sendable {
    /// They aren't one JSON object; noticed at this offset.
    case notAnObject(offset: Int)
    /// The key isn't there.
    case missing(key: String)
    /// The key's value isn't of the type that it must have.
    case wrongType(key: String)
  }

  /// Reads a line in any valid JSON spelling: keys in any order, with blanks, escapes, `1e3` for 1000.
  ///
  /// The payload becomes the other keys in the order in which they stand, each value as it is spelt, without blanks
  /// around it. `crc` is left out. Of a key that is repeated, the first counts.
  ///
  /// - Throws: ``Fault``.
  /// - Complexity: O(*n*), and it allocates: this is for lines that people wrote.
  public init(json bytes: UnsafeRawBufferPointer) throws(Fault) {
    self = try Self.read(bytes).envelope
  }

  /// Reads a line as ``init(json:)`` does, and answers the value of its key `crc` with it.
  static func read(
    _ bytes: UnsafeRawBufferPointer
  ) throws(Fault) -> (envelope: LogEnvelope, crc: UnsafeRawBufferPointer?) {
    var scanner = JSONScanner(bytes)
    var seq: Int64?
    var at: Int64?
    var kind: String?
    var crc: UnsafeRawBufferPointer?
    var payload: [UInt8] = []

    scanner.skipBlanks()
    guard scanner.skip(UInt8(ascii: "{")) else { throw Fault.notAnObject(offset: scanner.offset) }
    scanner.skipBlanks()
    var isOpen = !scanner.skip(UInt8(ascii: "}"))
    while isOpen {
      scanner.skipBlanks()
      guard let key = scanner.string() else { throw Fault.notAnObject(offset: scanner.offset) }
      scanner.skipBlanks()
      guard scanner.skip(UInt8(ascii: ":")) else { throw Fault.notAnObject(offset: scanner.offset) }
      scanner.skipBlanks()
      let start = scanner.offset
      guard scanner.skipValue() else { throw Fault.notAnObject(offset: scanner.offset) }
      let value = UnsafeRawBufferPointer(rebasing: bytes[start..<scanner.offset])

      switch JSONScanner.text(key) {
      case "seq" where seq == nil:
        guard let number = JSONScanner.integer(value), LogLine.seqs.contains(number) else {
          throw Fault.wrongType(key: "seq")
        }
        seq = number
      case "at" where at == nil:
        guard let number = JSONScanner.integer(value), LogLine.times.contains(number) else {
          throw Fault.wrongType(key: "at")
        }
        at = number
      case "kind" where kind == nil:
        guard let text = Self.kind(value) else { throw Fault.wrongType(key: "kind") }
        kind = text
      case "crc" where crc == nil:
        crc = value
      default:
        if !payload.isEmpty { payload.append(UInt8(ascii: ",")) }
        payload.append(UInt8(ascii: "\""))
        payload.append(contentsOf: key)
        payload.append(UInt8(ascii: "\""))
        payload.append(UInt8(ascii: ":"))
        payload.append(contentsOf: value)
      }

      scanner.skipBlanks()
      isOpen = !scanner.skip(UInt8(ascii: "}"))
      guard !isOpen || scanner.skip(UInt8(ascii: ",")) else { throw Fault.notAnObject(offset: scanner.offset) }
    }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw Fault.notAnObject(offset: scanner.offset) }
    guard let seq else { throw Fault.missing(key: "seq") }
    guard let at else { throw Fault.missing(key: "at") }
    guard let kind else { throw Fault.missing(key: "kind") }
    return (LogEnvelope(seq: seq, at: at, kind: kind, payload: payload), crc)
  }

  /// The kind that `value` says, or nil if it isn't a string of the letters that a kind may have.
  private static func kind(_ value: UnsafeRawBufferPointer) -> String? {
    var scanner = JSONScanner(value)
    guard let inside = scanner.string() else { return nil }
    let text = JSONScanner.text(inside)
    return !text.isEmpty && text.utf8.allSatisfy(LogKind.isAllowed) ? text : nil
  }
}

extension LogEnvelope.Fault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnObject(let offset): "it isn't a JSON object from byte \(offset) of the line on"
    case .missing(let key): "it has no key \(key)"
    case .wrongType(let key): "its key \(key) doesn't have the type that it must have"
    }
  }
}

// MARK: - Writing

extension LogEnvelope {
  /// Appends the line in the canonical spelling, its line feed included, to `bytes`.
  ///
  /// - Parameter hasCRC: Whether the line ends in its crc.
  /// - Returns: The CRC-32C of all before the crc, whether or not it is written.
  @discardableResult
  public func append(to bytes: inout [UInt8], hasCRC: Bool = true) -> UInt32 {
    payload.withUnsafeBytes { payload in
      var kind = kind
      return kind.withUTF8 { kind in
        LogLine.append(
          seq: seq, at: at, kind: UnsafeRawBufferPointer(kind), payload: payload, hasCRC: hasCRC, to: &bytes)
      }
    }
  }
}
