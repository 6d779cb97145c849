import ContrailWire

/// A JSON value of a file with its location.
struct DayDocument {
  /// The location, such as `line 3`, or an empty string if the file is one document.
  let place: String
  /// The value, or `nil` if the line isn't JSON.
  let value: LooseJSON?

  /// Returns the documents of a file: one, or one per line.
  ///
  /// - Throws: ``DayError/notJSON(file:line:column:reason:)`` if the file is neither. Single invalid lines are
  ///   tolerated.
  static func documents(of bytes: [UInt8], file: String) throws(DayError) -> [DayDocument] {
    let fault: JSONError
    do throws(JSONError) {
      return [DayDocument(place: "", value: try parsed(bytes[...]))]
    } catch {
      fault = error
    }
    var documents: [DayDocument] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
      let value = try? parsed(line)
      documents.append(DayDocument(place: "line \(index + 1)", value: value.flatMap { $0.isObject ? $0 : nil }))
    }
    // In a damaged multi-line document, hardly any line is an object.
    let good = documents.count { $0.value != nil }
    guard good > documents.count / 2 else {
      let before = bytes[..<min(fault.offset, bytes.count)]
      let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      throw .notJSON(
        file: file, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - start + 1,
        reason: fault.reason)
    }
    return documents
  }

  private static func parsed(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> LooseJSON {
    try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in try LooseJSON(UnsafeRawBufferPointer(bytes)) }
  }

  /// Returns the location of a record, counted from 1.
  func place(ofRecord index: Int) -> String {
    place.isEmpty ? "record \(index + 1)" : "\(place), record \(index + 1)"
  }
}

extension LooseJSON {
  /// A description of the value for error messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .flag: "true or false"
    case .number: "a number"
    case .text: "text"
    case .list(let elements): elements.isEmpty ? "an empty list" : "a list that begins with \(elements[0].kind)"
    case .object(let members):
      members.isEmpty
        ? "an empty object" : "an object with \(members.keys.sorted().prefix(6).joined(separator: ", "))"
    }
  }
}
