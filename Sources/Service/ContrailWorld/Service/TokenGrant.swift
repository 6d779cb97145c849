import ContrailWire

/// What a signed token allows its bearer.
package struct TokenGrant: Hashable, Sendable {
  /// The bearer's name and limits. Tokens of the same name share the counts.
  package var key: KeyRing.Key

  package init(key: KeyRing.Key) { self.key = key }
}

/// Why a signed token isn't accepted.
package enum TokenRefusal: Error, Hashable, Sendable, CaseIterable {
  /// The text isn't a token, or its claims have another form.
  case malformed
  /// No key has the token's `kid`.
  case unknownKey
  /// The token's `alg` isn't that of the key.
  case otherAlgorithm
  /// The signature doesn't fit.
  case signature
  /// The token's `exp` has passed.
  case expired
  /// The token's `nbf` hasn't come.
  case notYetValid
  /// The token's `aud` isn't this service.
  case otherAudience

  /// A stable code of the error.
  var code: String {
    switch self {
    case .expired: "TOKEN_EXPIRED"
    case .notYetValid: "TOKEN_NOT_YET_VALID"
    case .otherAudience: "TOKEN_AUDIENCE"
    case .malformed, .unknownKey, .otherAlgorithm, .signature: "TOKEN_INVALID"
    }
  }

  /// What is wrong, and what to do. What an attacker could learn from isn't told apart.
  var message: String {
    switch self {
    case .expired: "this token has expired: get a new one"
    case .notYetValid: "this token isn't valid yet: check the clock of its issuer"
    case .otherAudience: "this token is for another service: get one for this service"
    case .malformed, .unknownKey, .otherAlgorithm, .signature:
      "this token isn't one that the service accepts: get a new one"
    }
  }
}

/// Verifies signed tokens.
package protocol TokenVerifier: Sendable {
  /// Verifies a token.
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  /// - Returns: What the token allows.
  func verify(_ token: String, now: Int64) throws(TokenRefusal) -> TokenGrant
}

extension ServiceRequest {
  /// The key or the token of a request: `x-api-key`, or the bearer's token of `Authorization`.
  package var credential: String? {
    if let key = headers[WireHeader.apiKey] { return key }
    guard let field = headers["Authorization"], field.prefix(7).lowercased() == "bearer " else { return nil }
    return String(field.dropFirst(7).drop { $0 == " " })
  }
}
