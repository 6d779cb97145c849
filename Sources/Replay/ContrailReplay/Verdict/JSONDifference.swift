import ContrailWire

/// The first difference between two JSON values.
struct JSONDifference: Equatable {
  /// The path of the difference, such as `body.data.hexagons[3].alt`.
  var path: String
  /// The first value as written, shortened if it is long, or `none` if it is missing.
  var a: String
  var b: String

  /// Compares the members of two payloads in the order of the first. Returns `nil` if they are equal.
  ///
  /// - Parameter ignored: Names of top-level members to ignore.
  static func first(_ a: [UInt8], _ b: [UInt8], ignoring ignored: Set<String>) -> JSONDifference? {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        compare(members(a).filter { !ignored.contains($0.name) }, members(b).filter { !ignored.contains($0.name) }, "")
      }
    }
  }

  private typealias Value = UnsafeRawBufferPointer
  private typealias Member = (name: String, value: Value)

  private static func compare(_ a: [Member], _ b: [Member], _ path: String) -> JSONDifference? {
    func inside(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    for member in a {
      guard let other = b.first(where: { $0.name == member.name }) else {
        return JSONDifference(path: inside(member.name), a: text(member.value), b: "none")
      }
      if let found = compare(member.value, other.value, inside(member.name)) { return found }
    }
    guard let more = b.first(where: { member in !a.contains { $0.name == member.name } }) else { return nil }
    return JSONDifference(path: inside(more.name), a: "none", b: text(more.value))
  }

  private static func compare(_ a: Value, _ b: Value, _ path: String) -> JSONDifference? {
    if a.elementsEqual(b) { return nil }
    switch (a.first, b.first) {
    case (UInt8(ascii: "{"), UInt8(ascii: "{")): return compare(members(ofObject: a), members(ofObject: b), path)
    case (UInt8(ascii: "["), UInt8(ascii: "[")): return compare(elements(a), elements(b), path)
    default: return JSONDifference(path: path, a: text(a), b: text(b))
    }
  }

  private static func compare(_ a: [Value], _ b: [Value], _ path: String) -> JSONDifference? {
    for (index, (one, other)) in zip(a, b).enumerated() {
      if let found = compare(one, other, "\(path)[\(index)]") { return found }
    }
    guard a.count != b.count else { return nil }
    let index = min(a.count, b.count)
    return JSONDifference(
      path: "\(path)[\(index)]", a: index < a.count ? text(a[index]) : "none",
      b: index < b.count ? text(b[index]) : "none")
  }

  private static let longest = 60

  private static func text(_ value: Value) -> String {
    let text = String(decoding: value.prefix(longest), as: UTF8.self)
    return value.count > longest ? "\(text)… (\(Words.bytes(Int64(value.count))))" : text
  }

  // MARK: Taking apart

  private static func members(_ payload: Value) -> [Member] {
    var members: [Member] = []
    var json = JSONReader(payload)
    // Invalid JSON is compared as far as it can be parsed.
    do throws(JSONError) {
      try json.members { (key, json) throws(JSONError) in
        members.append((key.string, json.slice(try json.skipValue())))
      }
    } catch {}
    return members
  }

  private static func members(ofObject value: Value) -> [Member] {
    var members: [Member] = []
    var json = JSONReader(value)
    do throws(JSONError) {
      try json.object { (key, json) throws(JSONError) in
        members.append((key.string, json.slice(try json.skipValue())))
      }
    } catch {}
    return members
  }

  private static func elements(_ value: Value) -> [Value] {
    var elements: [Value] = []
    var json = JSONReader(value)
    do throws(JSONError) {
      try json.array { (json) throws(JSONError) in elements.append(json.slice(try json.skipValue())) }
    } catch {}
    return elements
  }
}
