package import ContrailLog
package import ContrailWorld
import Crypto
import CryptoExtras
import Foundation

/// The keys by which signed tokens (RFC 7519) are verified: HS256, ES256 and RS256.
///
/// The algorithm belongs to the key. A token that names another one is refused, so that nobody can sign with a public key as if it
/// were a secret. A token that names a key is verified by that key, or by one without a name, such as one in PEM.
///
/// | claim | use |
/// |---|---|
/// | `sub` | the name: quotas count for it, and its uploads are its own |
/// | `exp`, `nbf` | with a tolerance of a minute; `exp` is required |
/// | `aud` | contains the audience of the service |
/// | `rate`, `quota`, `uploads`, `areas`, `holds`, `concurrent` | limits, as in a file of keys |
package struct TokenKeys: TokenVerifier {
  private enum Material: Sendable {
    case hs256(SymmetricKey)
    case es256(P256.Signing.PublicKey)
    case rs256(_RSA.Signing.PublicKey)

    var algorithm: String {
      switch self {
      case .hs256: "HS256"
      case .es256: "ES256"
      case .rs256: "RS256"
      }
    }

    func isValid(_ signature: [UInt8], of text: [UInt8]) -> Bool {
      switch self {
      case .hs256(let key): HMAC<Crypto.SHA256>.isValidAuthenticationCode(signature, authenticating: text, using: key)
      case .es256(let key):
        (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: text) }
          ?? false
      case .rs256(let key):
        key.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: signature), for: Crypto.SHA256.hash(data: text),
          padding: .insecurePKCS1v1_5)
      }
    }
  }

  private struct Entry: Sendable {
    let kid: String?
    let material: Material
  }

  /// The tolerance for clocks in seconds.
  static let leewaySeconds: Int64 = 60
  private static let maximumTokenBytes = 8192
  private static let leastSecretBytes = 32
  private static let leastModulusBytes = 256

  private let entries: [Entry]
  private let audience: String

  // MARK: Verifying

  package func verify(_ token: String, now: Int64) throws(TokenRefusal) -> TokenGrant {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard token.utf8.count <= Self.maximumTokenBytes, parts.count == 3,
      let header = Self.decoded(parts[0], as: Header.self), let signature = Base64URL.bytes(parts[2])
    else { throw .malformed }
    // An extension that must be understood isn't (RFC 7515, section 4.1.11).
    guard header.crit == nil else { throw .malformed }
    let named = entries.filter { $0.kid == header.kid }
    let candidates =
      header.kid == nil && entries.count == 1 ? entries : named.isEmpty ? entries.filter { $0.kid == nil } : named
    guard !candidates.isEmpty else { throw .unknownKey }
    let fitting = candidates.filter { $0.material.algorithm == header.alg }
    guard !fitting.isEmpty else { throw .otherAlgorithm }
    let text = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    guard fitting.contains(where: { $0.material.isValid(signature, of: text) }) else { throw .signature }
    guard let claims = Self.decoded(parts[1], as: Claims.self) else { throw .malformed }
    return try grant(claims, at: now / 1000)
  }

  private func grant(_ claims: Claims, at now: Int64) throws(TokenRefusal) -> TokenGrant {
    guard let name = claims.sub, (1...100).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let expires = claims.exp.flatMap(Self.seconds)
    else { throw .malformed }
    guard now < expires + Self.leewaySeconds else { throw .expired }
    if let start = claims.nbf {
      guard let start = Self.seconds(start) else { throw .malformed }
      guard now >= start - Self.leewaySeconds else { throw .notYetValid }
    }
    guard claims.aud?.values.contains(audience) == true else { throw .otherAudience }
    var key = KeyRing.Key(name: name)
    key.expiresAt = expires + Self.leewaySeconds
    for limit in [claims.rate, claims.quota, claims.uploads, claims.areas, claims.holds, claims.concurrent] {
      guard (1...1_000_000_000).contains(limit ?? 1) else { throw .malformed }
    }
    key.rate = claims.rate.map { RequestRate(perSecond: min($0, 1_000_000)) }
    (key.quotaPerDay, key.uploadsPerDay, key.areasPerDay) = (claims.quota, claims.uploads, claims.areas)
    (key.holds, key.concurrent) = (claims.holds, claims.concurrent)
    return TokenGrant(key: key)
  }

  /// Returns a time in seconds since 1970, which may have a fraction; nil if it isn't in this era.
  private static func seconds(_ number: Double) -> Int64? {
    (0...Double(UInt32.max)).contains(number) ? Int64(number) : nil
  }

  private static func decoded<Value: Decodable>(_ part: Substring.UTF8View, as type: Value.Type) -> Value? {
    Base64URL.bytes(part).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
  }

  private struct Header: Decodable {
    var alg: String
    var kid: String?
    var crit: [String]?
  }

  private struct Claims: Decodable {
    struct Audience: Decodable {
      var values: [String]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
      }
    }

    var sub: String?
    var exp: Double?
    var nbf: Double?
    var aud: Audience?
    var rate: Int?
    var quota: Int?
    var uploads: Int?
    var areas: Int?
    var holds: Int?
    var concurrent: Int?
  }
}

// MARK: - Reading keys

extension TokenKeys {
  /// Reads a file with a set of keys (JWKS), one key (JWK), or a public key in PEM.
  ///
  /// Other users mustn't be able to change the file, nor to read one with a secret.
  ///
  /// - Parameter audience: The audience of the service.
  package init(path: String, audience: String) throws(InputError) {
    let (data, mode) = try KeyReload.contents(path)
    func fault(_ reason: String) -> InputError { InputError(.keyFile, at: path, reason) }
    guard mode & 0o022 == 0 else { throw fault("other users may change the file; run: chmod go-w \(path)") }
    try self.init(String(decoding: data, as: UTF8.self), audience: audience, path: path)
    let hasSecret = entries.contains { if case .hs256 = $0.material { true } else { false } }
    guard !hasSecret || mode & 0o077 == 0 else {
      throw fault("it holds a secret, and other users may read the file; run: chmod 600 \(path)")
    }
  }

  init(_ text: String, audience: String, path: String) throws(InputError) {
    func fault(_ reason: String) -> InputError { InputError(.keyFile, at: path, reason) }
    self.audience = audience
    guard !text.contains("PRIVATE KEY") else { throw fault("it holds a private key; give the public key") }
    if text.contains("-----BEGIN") {
      if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
        self.entries = [Entry(kid: nil, material: .es256(key))]
      } else if let key = try? _RSA.Signing.PublicKey(pemRepresentation: text) {
        self.entries = [Entry(kid: nil, material: .rs256(key))]
      } else {
        throw fault("it isn't a public key of P-256, or of RSA with at least 2048 bits, in PEM")
      }
      return
    }
    let decoder = JSONDecoder()
    let data = Data(text.utf8)
    guard let keys = (try? decoder.decode(Keys.self, from: data).keys) ?? (try? [decoder.decode(JWK.self, from: data)])
    else { throw fault("it is neither a set of keys (JWKS) nor a public key in PEM") }
    var found: [Entry] = []
    for (index, key) in keys.enumerated() {
      // A set may hold keys for other uses (RFC 7517, section 5).
      guard key.use == nil || key.use == "sig" else { continue }
      do throws(KeyFault) {
        found.append(Entry(kid: key.kid, material: try Self.material(of: key)))
      } catch {
        throw fault("the key \(key.kid.map { "'\($0)'" } ?? "number \(index + 1)") \(error.reason)")
      }
    }
    let kids = found.compactMap(\.kid)
    guard Set(kids).count == kids.count else { throw fault("two keys have the same 'kid'") }
    guard !found.isEmpty else { throw fault("it holds no key for signatures") }
    entries = found
  }

  private struct KeyFault: Error { let reason: String }

  private static func material(of key: JWK) throws(KeyFault) -> Material {
    guard key.d == nil else { throw KeyFault(reason: "is a private key; give the public key") }
    func bytes(_ text: String?) -> [UInt8]? { text.flatMap { Base64URL.bytes(Substring($0).utf8) } }
    switch (key.kty, key.alg ?? key.standardAlgorithm) {
    case ("oct", "HS256"):
      guard let secret = bytes(key.k), secret.count >= leastSecretBytes else {
        throw KeyFault(reason: "needs a secret 'k' of at least \(leastSecretBytes) bytes, in base64url")
      }
      return .hs256(SymmetricKey(data: secret))
    case ("EC", "ES256"):
      guard key.crv == "P-256", let x = bytes(key.x), let y = bytes(key.y), x.count == 32, y.count == 32,
        let point = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
      else { throw KeyFault(reason: "isn't a point of the curve P-256") }
      return .es256(point)
    case ("RSA", "RS256"):
      guard let n = bytes(key.n), let e = bytes(key.e), n.drop(while: { $0 == 0 }).count >= leastModulusBytes,
        let rsa = try? _RSA.Signing.PublicKey(n: n, e: e)
      else { throw KeyFault(reason: "isn't a key of RSA with at least \(leastModulusBytes * 8) bits") }
      return .rs256(rsa)
    default:
      throw KeyFault(reason: "has another algorithm; use HS256, ES256 or RS256")
    }
  }

  private struct Keys: Decodable {
    var keys: [JWK]
  }

  private struct JWK: Decodable {
    var kty: String
    var kid: String?
    var alg: String?
    var use: String?
    var crv: String?
    var x: String?
    var y: String?
    var n: String?
    var e: String?
    var k: String?
    var d: String?

    var standardAlgorithm: String {
      switch kty {
      case "oct": "HS256"
      case "EC": "ES256"
      default: "RS256"
      }
    }
  }
}

/// Bytes as text of the alphabet for URLs (RFC 4648, section 5), without padding.
private enum Base64URL {
  static func bytes(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (value, bits): (UInt32, Int) = (0, 0)
    for character in text {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "_"): digit = 63
      default: return nil
      }
      value = value << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
      }
    }
    // The bits that are left belong to no byte. Another text for the same bytes isn't accepted.
    guard bits < 6, value & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }
}
