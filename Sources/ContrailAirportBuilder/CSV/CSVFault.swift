/// Why a row of CSV can't be read.
public enum CSVFault: String, Error, Hashable, Sendable, CaseIterable {
  /// A quote stands within a field that doesn't begin with one.
  case quoteInField
  /// Something other than a comma or the line's end follows a closing quote.
  case textAfterQuote
  /// A quote isn't closed before the file ends, or before the row is longer than any row may be.
  case unclosedQuote
  /// The row is longer than any row may be.
  case tooLong
  /// The bytes aren't UTF-8.
  case notText

  /// A stable name for scripts and tests.
  public var code: String { rawValue }
}

extension CSVFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .quoteInField: "a quote stands within a field that isn't quoted"
    case .textAfterQuote: "something follows a closing quote"
    case .unclosedQuote: "a quote isn't closed"
    case .tooLong: "it is longer than \(CSVReader.maximumRowBytes) bytes"
    case .notText: "it isn't UTF-8"
    }
  }
}
