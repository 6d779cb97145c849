import Foundation

/// Rounds the numbers in JSON to seven significant digits, like the weather service. Unit conversion leaves more.
enum JSONRounding {
  static func rounded(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var index = 0
    var isInString = false
    while index < json.count {
      let byte = json[index]
      if isInString || !(byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)) {
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        result.append(byte)
        // An escaped quote doesn't end the string.
        if isInString, byte == UInt8(ascii: "\\"), index + 1 < json.count {
          index += 1
          result.append(json[index])
        }
        index += 1
        continue
      }
      let end = json[index...].firstIndex { !"+-.0123456789eE".utf8.contains($0) } ?? json.count
      let text = String(decoding: json[index..<end], as: UTF8.self)
      // Integers, including times, stay unchanged.
      if text.count > 8, text.contains("."), let value = Double(text) {
        result += Array(String(format: "%.7g", value).utf8)
      } else {
        result += json[index..<end]
      }
      index = end
    }
    return result
  }
}
