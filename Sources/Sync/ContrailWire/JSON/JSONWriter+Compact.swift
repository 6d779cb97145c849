extension JSONWriter {
  /// Returns valid JSON without whitespace between its tokens, and therefore on one line.
  ///
  /// - Complexity: O(*n*). JSON that has no such whitespace is returned without a copy.
  public static func compact(_ json: [UInt8]) -> [UInt8] {
    if json.withUnsafeBytes({ hasSpacesInTextsOnly($0) }) { return json }
    var compact: [UInt8] = []
    compact.reserveCapacity(json.count)
    var isText = false
    var isEscaped = false
    for byte in json {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: continue
        default: isText = byte == UInt8(ascii: "\"")
        }
      }
      compact.append(byte)
    }
    return compact
  }

  /// Whether each space in valid JSON is certainly inside a text, because it has neither another space nor a character
  /// beside it that ends a token.
  private static func hasSpacesInTextsOnly(_ json: UnsafeRawBufferPointer) -> Bool {
    guard let base = json.baseAddress else { return true }
    var next = 0
    while next < json.count {
      while next &+ 8 <= json.count {
        let spaces = (base + next).word(at: 0).spaces
        next &+= spaces.trailingZeroBitCount / 8
        if spaces != 0 { break }
      }
      guard next < json.count else { return true }
      if json[next] <= 0x20 {
        guard next > 0, next &+ 1 < json.count, !endsToken(json[next &- 1]), !endsToken(json[next &+ 1]) else {
          return false
        }
      }
      next &+= 1
    }
    return true
  }

  private static func endsToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
      UInt8(ascii: ","), UInt8(ascii: "\""):
      true
    default: false
    }
  }
}
