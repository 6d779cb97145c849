#if Online
  import ContrailWire

  /// A JSON value of a file that others wrote. It is read whole before anything is asked of it, so that an odd member spoils no more
  /// than what it stands in, and is lenient about what stands for what: a number may be text.
  enum LooseJSON: Hashable, Sendable {
    case null
    case flag(Bool)
    /// As it is spelled.
    case number(String)
    case text(String)
    case list([LooseJSON])
    case object([String: LooseJSON])

    /// Reads all of the bytes as one value.
    init(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
      var json = JSONReader(bytes)
      self = try Self.read(&json, bytes)
      try json.end()
    }

    private static func read(
      _ json: inout JSONReader, _ bytes: UnsafeRawBufferPointer
    ) throws(JSONFault) -> LooseJSON {
      let start = json.next()
      guard start < bytes.count else { throw json.fault("expected a value") }
      switch bytes[start] {
      case UInt8(ascii: "{"):
        var members: [String: LooseJSON] = [:]
        try json.object { (key, json) throws(JSONFault) in members[key.string] = try read(&json, bytes) }
        return .object(members)
      case UInt8(ascii: "["):
        var elements: [LooseJSON] = []
        try json.array { (json) throws(JSONFault) in elements.append(try read(&json, bytes)) }
        return .list(elements)
      case UInt8(ascii: "\""): return .text(try json.string())
      case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try json.bool())
      case UInt8(ascii: "n"):
        _ = try json.null()
        return .null
      default:
        let range = try json.skipValue()
        return .number(String(decoding: bytes[range], as: UTF8.self))
      }
    }
  }

  extension LooseJSON {
    /// The member of an object; null where there is none.
    subscript(key: String) -> LooseJSON {
      guard case .object(let members) = self else { return .null }
      return members[key] ?? .null
    }

    /// The element of a list; null where there is none.
    subscript(index: Int) -> LooseJSON {
      guard case .list(let elements) = self, elements.indices.contains(index) else { return .null }
      return elements[index]
    }

    /// The elements of a list; nil where it is none.
    var elements: [LooseJSON]? {
      guard case .list(let elements) = self else { return nil }
      return elements
    }

    /// Whether it is an object.
    var isObject: Bool {
      guard case .object = self else { return false }
      return true
    }

    /// What stands alone in a list, however deep, or the value itself.
    var single: LooseJSON {
      guard case .list(let elements) = self, elements.count == 1 else { return self }
      return elements[0].single
    }

    /// The text without blanks around it; nil where nothing is left, and for anything but text and numbers.
    var text: String? {
      switch self {
      case .number(let spelling): spelling
      case .text(let text): Self.trimmed(text)
      default: nil
      }
    }

    /// A number, or text that is one such as `090`, times 10 to the power of `digits`, rounded; nil for anything else.
    func scaled(by digits: Int) -> Int64? {
      guard let text else { return nil }
      let isNegative = text.hasPrefix("-")
      var figures = text.drop { $0 == "-" || $0 == "+" }
      guard text.utf8.count - figures.utf8.count <= 1, let first = figures.first, first.isNumber else { return nil }
      // JSON allows no zeros in front, and text has them.
      while figures.hasPrefix("0"), let next = figures.dropFirst().first, next.isNumber { figures.removeFirst() }
      // A reader that scales by none refuses what isn't whole.
      let places = digits == 0 ? 6 : digits
      do throws(JSONFault) {
        let value = try Array(figures.utf8).withUnsafeBufferPointer { (bytes) throws(JSONFault) in
          var json = JSONReader(UnsafeRawBufferPointer(bytes))
          let value = try json.scaled(by: places)
          try json.end()
          return value
        }
        let rounded = digits == 0 ? value / 1_000_000 + (value % 1_000_000 >= 500_000 ? 1 : 0) : value
        return isNegative ? -rounded : rounded
      } catch {
        return nil
      }
    }

    /// The nearest whole number.
    var integer: Int64? { scaled(by: 0) }

    private static func trimmed(_ text: String) -> String? {
      guard let first = text.firstIndex(where: { !$0.isWhitespace }),
        let last = text.lastIndex(where: { !$0.isWhitespace })
      else { return nil }
      return String(text[first...last])
    }
  }
#endif
