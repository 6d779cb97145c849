/// A JSON object that was read once: it is valid, and the places of its members are known.
///
/// A member can be read alone, without reading the whole document again.
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

  private struct Places {
    private(set) var members: [Member] = []
    /// Whether there is certainly no whitespace between tokens.
    private(set) var isCompact = true

    /// Small, because a faulty server may send millions. A body has at most 64 MiB.
    struct Member {
      /// Between the quotes.
      let keyStart: UInt32
      let keyCount: UInt32
      let valueStart: UInt32
      let keyIsPlain: Bool
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
        members.append(
          Member(
            keyStart: UInt32(truncatingIfNeeded: key.offset(in: bytes)),
            keyCount: UInt32(truncatingIfNeeded: key.bytes.count), valueStart: UInt32(truncatingIfNeeded: start),
            keyIsPlain: key.isPlain))
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
      var json = JSONReader(UnsafeRawBufferPointer(bytes))
      for member in places.members {
        json.position = Int(member.valueStart)
        let start = Int(member.keyStart)
        try read(JSONKey(bytes: json.slice(start..<start + Int(member.keyCount)), isPlain: member.keyIsPlain), &json)
      }
    }
  }

  /// The document without whitespace between its tokens, and therefore on one line.
  ///
  /// - Complexity: O(1) if it has none, otherwise O(*n*).
  package var compact: [UInt8] { places.isCompact ? bytes : JSONWriter.compact(bytes) }
}
