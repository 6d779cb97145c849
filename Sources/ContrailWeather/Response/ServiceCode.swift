/// A code of the service's: one that its documentation lists, or one that came later.
///
/// The service says that answers may hold codes that aren't in its tables. Such a code is kept as it came, so that it
/// can be shown and goes out again as it came in. Two codes are equal when they are spelt alike.
public protocol ServiceCode: RawRepresentable, Hashable, Sendable, Codable where RawValue == String {
  /// The codes that the documentation lists, in its order.
  static var listed: [Self] { get }
  /// A code that isn't listed.
  static func unlisted(_ spelling: String) -> Self
}

extension ServiceCode {
  public init(rawValue: String) {
    self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)
  }
}
