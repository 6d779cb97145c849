extension String {
  /// The text with control characters escaped as in JSON, such as `\u001b`.
  ///
  /// Names from files and servers may contain escape sequences, which a terminal would obey, and characters that change
  /// the direction of text. The escapes are valid in JSON too, where such characters only occur in strings.
  ///
  /// - Parameter keepsLines: Whether line feeds and tabs are kept.
  package func escapingControls(keepsLines: Bool = true) -> String {
    guard unicodeScalars.contains(where: { Self.isControl($0, keepsLines: keepsLines) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if Self.isControl(scalar, keepsLines: keepsLines) {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func isControl(_ scalar: Unicode.Scalar, keepsLines: Bool) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a: !keepsLines
    case 0x00...0x1f, 0x7f...0x9f: true
    // Marks, embeddings, overrides and isolates of bidirectional text, and the two other line separators.
    case 0x061c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
