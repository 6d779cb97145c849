import ContrailWire

/// A JSON value, for changing a document by the names of its members.
indirect enum JSONTree {
  case object([(name: String, value: JSONTree)])
  case array([JSONTree])
  case string(String)
  case integer(Int64)
  /// Any other value, as written.
  case other([UInt8])

  /// Reads a value.
  init(from json: inout JSONReader) throws(JSONError) {
    let start = json.next()
    var probe = json
    let bytes = probe.slice(try probe.skipValue())
    switch bytes.first {
    case UInt8(ascii: "{"):
      var members: [(name: String, value: JSONTree)] = []
      try json.object { (key, json) throws(JSONError) in members.append((key.string, try JSONTree(from: &json))) }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      try json.array { (json) throws(JSONError) in elements.append(try JSONTree(from: &json)) }
      self = .array(elements)
    case UInt8(ascii: "\""): self = .string(try json.string())
    default:
      json = probe
      if let number = Int64(String(decoding: bytes, as: UTF8.self)) {
        self = .integer(number)
      } else {
        guard !bytes.isEmpty else { throw JSONError(offset: start, reason: "a value is missing") }
        self = .other(Array(bytes))
      }
    }
  }

  /// Writes the value.
  func write(to json: inout JSONWriter) {
    switch self {
    case .object(let members):
      json.object { json in
        for (name, value) in members {
          json.key(named: name)
          value.write(to: &json)
        }
      }
    case .array(let elements): json.array { json in elements.forEach { $0.write(to: &json) } }
    case .string(let text): json.value(text)
    case .integer(let number): json.value(number)
    case .other(let bytes): json.verbatim(bytes)
    }
  }

  /// The integers of an array; nil for those that aren't.
  var integers: [Int64?]? {
    guard case .array(let elements) = self else { return nil }
    return elements.map { if case .integer(let number) = $0 { number } else { nil } }
  }
}
