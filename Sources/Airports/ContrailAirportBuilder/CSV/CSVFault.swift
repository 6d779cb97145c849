/// A fault of a CSV row, which is skipped and counted.
public enum CSVFault: String, Hashable, Sendable, CaseIterable {
  /// A quote is within an unquoted field.
  case quoteInField
  /// A closing quote is followed by something other than a comma or a line end.
  case textAfterQuote
  /// A quote isn't closed before the end of the file or the maximum row length.
  case unclosedQuote
  /// The row exceeds the maximum length.
  case tooLong
  /// The bytes aren't valid UTF-8.
  case notText

  /// A stable code of the error.
  public var code: String { rawValue }
}

extension CSVFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .quoteInField: "a quote is within an unquoted field"
    case .textAfterQuote: "a closing quote is followed by text"
    case .unclosedQuote: "a quote isn't closed"
    case .tooLong: "the row is longer than \(CSVReader.maximumRowBytes) bytes"
    case .notText: "the row isn't valid UTF-8"
    }
  }
}
