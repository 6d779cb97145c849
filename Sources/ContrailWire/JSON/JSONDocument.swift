/// A JSON object that was read once: it is valid, and the places of its members are known.
///
/// Whoever needs a member reads only that, instead of the whole document again.
package struct JSONDocument: Sendable {
  package let bytes: [UInt8]
  private let places: Places

  /// Reads an object.
  ///
  /// - Complexity: O(*n*).
  /// - Throws: ``JSONError`` if the bytes aren't a JSON object.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    places = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in try Places(UnsafeRawBufferPointer(bytes))
    }
    self.bytes = bytes
  }

  /// Copies an object; nil if the bytes are anything else, or have whitespace around it.
  package init?(exactly bytes: UnsafeRawBufferPointer) {
    guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return nil }
    do throws(JSONError) {
      places = try Places(bytes)
    } catch {
      return nil
    }
    self.bytes = Array(bytes)
  }

  private struct Places {
    /// The members in order; empty if there are more than ``maximumCount``.
    private(set) var members: [Member] = []
    private(set) var count = 0
    /// Whether there is certainly no whitespace between tokens.
    private(set) var isCompact = true

    /// Limits the memory. The documents of the services have fewer than ten.
    private static let maximumCount = 64

    struct Member {
      /// Between the quotes.
      let key: Range<Int>
      let keyIsPlain: Bool
      let value: Range<Int>
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
      // Each member has quotes, a colon and a comma, but the last has no comma.
      var compactCount = 1
      var json = JSONReader(bytes)
      try json.object { (key, json) throws(JSONError) in
        let start = json.next()
        if !json.skipCompactValue() {
          isCompact = false
          try json.skipValue()
        }
        compactCount += key.bytes.count + 4 + json.position - start
        count += 1
        guard count <= Self.maximumCount, let base = bytes.baseAddress, let name = key.bytes.baseAddress else {
          return members.removeAll()
        }
        members.append(
          Member(
            key: name - base..<name - base + key.bytes.count, keyIsPlain: key.isPlain, value: start..<json.position))
      }
      try json.end()
      isCompact = isCompact && max(compactCount, 2) == bytes.count
    }
  }

  /// Calls `read` for each member in order, with a reader in front of the value, which may stay unread.
  package func forEachMember(
    _ read: (JSONKey, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      var json = JSONReader(bytes)
      guard places.members.count < places.count else {
        for member in places.members {
          json.position = member.value.lowerBound
          try read(JSONKey(bytes: json.slice(member.key), isPlain: member.keyIsPlain), &json)
        }
        return
      }
      try json.object { (key, json) throws(JSONError) in
        let start = json.next()
        try read(key, &json)
        if json.position == start { try json.skipValue() }
      }
    }
  }

  /// The document without whitespace between its tokens, and therefore on one line.
  ///
  /// - Complexity: O(1) if it has none, otherwise O(*n*).
  package var compact: [UInt8] { places.isCompact ? bytes : JSONWriter.compact(bytes) }
}
