/// The secrets that are sent with requests. They are never written to a file or a message.
package struct Credentials: Sendable, Hashable {
  /// The application's key.
  package var apiKey: String?
  /// The weather service's token.
  package var weatherToken: String?

  package init(apiKey: String? = nil, weatherToken: String? = nil) {
    self.apiKey = apiKey
    self.weatherToken = weatherToken
  }

  /// Returns the credentials after a change.
  func changed(by change: CredentialsChange) -> Credentials {
    var credentials = self
    if let key = change.apiKey { credentials.apiKey = key }
    if let token = change.weatherToken { credentials.weatherToken = token }
    return credentials
  }
}

/// A change of credentials. Nil keeps a secret; `.some(nil)` removes it.
package struct CredentialsChange: Sendable, Hashable {
  package var apiKey: String??
  package var weatherToken: String??

  package init(apiKey: String?? = nil, weatherToken: String?? = nil) {
    self.apiKey = apiKey
    self.weatherToken = weatherToken
  }

  /// Whether there is a key after the change because of it.
  var bringsKey: Bool {
    if case .some(.some) = apiKey { true } else { false }
  }
}

// Neither a description nor a mirror shows a secret.

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String {
    "Credentials(key \(apiKey == nil ? "none" : "set"), token \(weatherToken == nil ? "none" : "set"))"
  }
  package var debugDescription: String { description }
}

extension CredentialsChange: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "CredentialsChange" }
  package var debugDescription: String { description }
}

#if !hasFeature(Embedded)
  extension Credentials: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }

  extension CredentialsChange: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }
#endif
