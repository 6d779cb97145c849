/// A code of the service: documented, or added later.
///
/// The service states that responses may contain codes that aren't in its tables. Such a code is preserved, so that it
/// can be shown, and is encoded unchanged. Codes are equal if their raw values are.
public protocol ServiceCode: RawRepresentable, Hashable, Sendable, Codable where RawValue == String {
  /// The documented codes, in the order of the documentation.
  static var listed: [Self] { get }
  /// Creates a code that isn't documented.
  static func unlisted(_ spelling: String) -> Self
}

extension ServiceCode {
  public init(rawValue: String) {
    self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
  }
}
