import ContrailWire

/// A JSON value of an external file, decoded leniently.
///
/// The value is decoded completely before it is used, so an unexpected member affects only its own record. Numbers
/// may be strings.
package enum LooseJSON: Hashable, Sendable {
  case null
  case flag(Bool)
  /// The number as written.
  case number(String)
  case text(String)
  case list([LooseJSON])
  case object([String: LooseJSON])

  /// Decodes all bytes as one value.
  init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var json = JSONReader(bytes)
    self = try Self.read(&json, bytes)
    try json.end()
  }

  private static func read(
    _ json: inout JSONReader, _ bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> LooseJSON {
    let start = json.next()
    guard start < bytes.count else { throw json.fault("expected a value") }
    switch bytes[start] {
    case UInt8(ascii: "{"):
      var members: [String: LooseJSON] = [:]
      try json.object { (key, json) throws(JSONError) in members[key.string] = try read(&json, bytes) }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [LooseJSON] = []
      try json.array { (json) throws(JSONError) in elements.append(try read(&json, bytes)) }
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
  /// Returns a member of an object, or null if there is none.
  subscript(key: String) -> LooseJSON {
    guard case .object(let members) = self else { return .null }
    return members[key] ?? .null
  }

  /// Returns an element of a list, or null if there is none.
  subscript(index: Int) -> LooseJSON {
    guard case .list(let elements) = self, elements.indices.contains(index) else { return .null }
    return elements[index]
  }

  /// The elements of a list, or `nil` if the value isn't a list.
  var elements: [LooseJSON]? {
    guard case .list(let elements) = self else { return nil }
    return elements
  }

  /// Whether the value is an object.
  var isObject: Bool {
    guard case .object = self else { return false }
    return true
  }

  /// The innermost element of nested one-element lists, or the value itself.
  var single: LooseJSON {
    guard case .list(let elements) = self, elements.count == 1 else { return self }
    return elements[0].single
  }

  /// The trimmed text of a string or a number, or `nil` if it is empty or another type.
  var text: String? {
    switch self {
    case .number(let spelling): spelling
    case .text(let text): Self.trimmed(text)
    default: nil
    }
  }

  /// Returns a number, or a numeric string such as `090`, multiplied by a power of ten and rounded. Returns `nil` for
  /// other values.
  func scaled(by digits: Int) -> Int64? {
    guard let text else { return nil }
    let isNegative = text.hasPrefix("-")
    var figures = text.drop { $0 == "-" || $0 == "+" }
    guard text.utf8.count - figures.utf8.count <= 1, let first = figures.first, first.isNumber else { return nil }
    // JSON doesn't allow the leading zeros that strings may have.
    while figures.hasPrefix("0"), let next = figures.dropFirst().first, next.isNumber { figures.removeFirst() }
    // With a scale of 0, the reader would reject fractions.
    let places = digits == 0 ? 6 : digits
    do throws(JSONError) {
      let value = try Array(figures.utf8).withUnsafeBufferPointer { (bytes) throws(JSONError) in
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

  /// The value rounded to an integer.
  var integer: Int64? { scaled(by: 0) }

  private static func trimmed(_ text: String) -> String? {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(text[first...last])
  }
}

// MARK: - Documents of feeds

extension LooseJSON {
  /// The collection of PIREPs in a document, and its records; nil if it isn't one.
  var pilotReports: (collection: LooseJSON, records: [LooseJSON]?) { records(in: "feed", named: "pirep") }
  /// The collection of advisories in a document, and its records; nil if it isn't one.
  var advisories: (collection: LooseJSON, records: [LooseJSON]?) { records(in: "geojson", named: "sigmet") }

  private func records(in wrapper: String, named name: String) -> (collection: LooseJSON, records: [LooseJSON]?) {
    let collection = self[wrapper].isObject ? self[wrapper] : self
    return (collection, collection.elements ?? collection["features"].elements ?? collection[name].elements)
  }
}
