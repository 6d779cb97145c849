import ContrailLog
import ContrailTestSupport
import Foundation

/// Changes lines of a log as a test wants them, and writes it again so that every crc is right.
enum LogEditor {
  /// The log's lines.
  static func lines(_ path: String) throws -> [LogEnvelope] {
    let reader = try LogReader(path: path)
    var lines: [LogEnvelope] = []
    while let line = try reader.next() { lines.append(line.envelope) }
    return lines
  }

  static func write(_ lines: [LogEnvelope], to path: String) throws {
    var bytes: [UInt8] = []
    for line in lines { line.append(to: &bytes) }
    try TemporaryDirectory.put(bytes, path)
  }

  /// Changes the lines; numbers, causes and sync marks follow where lines come or go.
  static func edit(_ path: String, to copy: String, _ change: (inout [LogEnvelope]) -> Void) throws {
    var lines = try lines(path)
    change(&lines)
    var moved: [Int64: Int64] = [:]
    for index in lines.indices {
      if lines[index].seq >= 0 { moved[lines[index].seq] = Int64(index) }
      lines[index].seq = Int64(index)
      for key in ["cause", "through"] {
        guard let old = lines[index].number(key) else { continue }
        // A line that is gone is stood for by the one before it.
        var target = old
        while moved[target] == nil && target > 0 { target -= 1 }
        lines[index].replace("\"\(key)\":\(old)", with: "\"\(key)\":\(moved[target] ?? old)")
      }
    }
    try write(lines, to: copy)
  }

  /// The log's bytes without the hashes of its sync marks, which lines that a program rewrites lose.
  static func unsealed(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for var line in try lines(path) {
      if line.kind == "log.synced", let through = line.number("through") {
        line.payload = Array("\"through\":\(through)".utf8)
      }
      line.append(to: &bytes)
    }
    return bytes
  }

  /// The first line that satisfies a condition.
  static func index(_ lines: [LogEnvelope], where isMeant: (LogEnvelope) -> Bool) throws -> Int {
    struct NoSuchLine: Error {}
    guard let index = lines.firstIndex(where: isMeant) else { throw NoSuchLine() }
    return index
  }
}

extension LogEnvelope {
  var text: String { String(decoding: payload, as: UTF8.self) }

  /// Replaces the first occurrence of a text in the payload.
  mutating func replace(_ old: String, with new: String) {
    guard let range = text.firstRange(of: old) else { return }
    payload = Array(text.replacingCharacters(in: range, with: new).utf8)
  }

  /// Changes the first digit of the digest of the control part.
  mutating func changeControlDigest() {
    guard let start = text.firstRange(of: #""control":""#)?.upperBound else { return }
    let digit = text[start]
    replace(#""control":"\#(digit)"#, with: #""control":"\#(digit == "a" ? "b" : "a")"#)
  }

  /// A whole number that a key of the payload has.
  func number(_ key: String) -> Int64? {
    // Lines with a body have none, and are long.
    guard payload.count < 2000, let start = text.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
    return Int64(text[start...].prefix { $0.isNumber })
  }
}

extension String {
  func firstRange(of part: String) -> Range<String.Index>? { range(of: part, options: .literal) }

  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }

  /// The text with a test's directory taken out of its paths.
  func without(_ directory: TemporaryDirectory) -> String {
    var text = self
    while let range = text.firstRange(of: directory.path + "/") { text = text.replacingCharacters(in: range, with: "") }
    return text
  }
}

extension String {
  /// The text with one occurrence of a part replaced, counted from 0.
  func replacing(_ old: String, with new: String, nth: Int = 0) -> String {
    guard let range = firstRange(of: old) else { return self }
    if nth == 0 { return replacingCharacters(in: range, with: new) }
    let rest = String(self[range.upperBound...])
    return String(self[..<range.upperBound]) + rest.replacing(old, with: new, nth: nth - 1)
  }
}
