/// The secrets that requests carry. They are never written anywhere.
public struct Credentials: Sendable, Hashable {
  /// The application's key.
  public var apiKey: String?
  /// The weather service's token.
  public var weatherToken: String?

  public init(apiKey: String? = nil, weatherToken: String? = nil) {
    self.apiKey = apiKey
    self.weatherToken = weatherToken
  }

  /// The same with what a change sets.
  func changed(by change: CredentialsChange) -> Credentials {
    var credentials = self
    if let key = change.apiKey { credentials.apiKey = key }
    if let token = change.weatherToken { credentials.weatherToken = token }
    return credentials
  }
}

/// Credentials to use from now on. Nil leaves one as it is; `.some(nil)` takes it away.
public struct CredentialsChange: Sendable, Hashable {
  public var apiKey: String??
  public var weatherToken: String??

  public init(apiKey: String?? = nil, weatherToken: String?? = nil) {
    self.apiKey = apiKey
    self.weatherToken = weatherToken
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    "Credentials(key \(apiKey == nil ? "none" : "set"), token \(weatherToken == nil ? "none" : "set"))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension CredentialsChange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "CredentialsChange" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
