import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Crypto
import Foundation
import Logging
import Testing

@testable import ContrailServer
@testable import ContrailWorld

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Signed tokens, and the keys by which they are verified.
@Suite struct TokenKeysTests {
  private typealias Claims = [String: any Sendable]

  private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)
  private static let private256 =
    (try? P256.Signing.PrivateKey(rawRepresentation: Array(1...32) as [UInt8])) ?? P256.Signing.PrivateKey()
  private static let now = Samples.noon

  private static func url(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func jwks(_ keys: String...) -> String { "{\"keys\":[\(keys.joined(separator: ","))]}" }
  private static let oct = #"{"kty":"oct","kid":"s","alg":"HS256","k":"\#(url(secret))"}"#
  private static var ec: String {
    let point = private256.publicKey.rawRepresentation
    return #"{"kty":"EC","kid":"e","crv":"P-256","x":"\#(url(point.prefix(32)))","y":"\#(url(point.suffix(32)))"}"#
  }

  private static func keys(_ text: String = Self.jwks(Self.oct, Self.ec)) throws -> TokenKeys {
    try TokenKeys(text, audience: "contrail", path: "tokens")
  }

  /// Returns a token signed by the secret.
  private static func token(
    _ claims: Claims, header: Claims = ["alg": "HS256", "kid": "s"], secret: [UInt8] = Self.secret
  ) throws -> String {
    let text =
      "\(url(try JSONSerialization.data(withJSONObject: header))).\(url(try JSONSerialization.data(withJSONObject: claims)))"
    let code = HMAC<Crypto.SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: secret))
    return text + "." + url(code)
  }

  private static let valid: Claims = ["sub": "fleet-7", "exp": now + 600, "aud": "contrail"]

  private static func refusal(_ token: String, _ keys: TokenKeys? = nil, at time: Int64 = Self.now) throws
    -> TokenRefusal?
  {
    let keys = try keys ?? Self.keys()
    do throws(TokenRefusal) {
      _ = try keys.verify(token, now: time * 1000)
      return nil
    } catch {
      return error
    }
  }

  // RFC 7515, appendix A.1 to A.3: the claims aren't ours, so that a signature that fits shows as `malformed`.
  private static let rfcClaims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  @Test(arguments: [
    (
      #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#,
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    ),
    (
      #"{"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}"#,
      "eyJhbGciOiJSUzI1NiJ9",
      "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    ),
    (
      #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
      "eyJhbGciOiJFUzI1NiJ9",
      "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    ),
  ]) func theSignaturesOfRFC7515Fit(key: String, header: String, signature: String) throws {
    let keys = try Self.keys(key)
    #expect(try Self.refusal("\(header).\(Self.rfcClaims).\(signature)", keys) == .malformed)
    let changed = (signature.first == "A" ? "B" : "A") + signature.dropFirst()
    #expect(try Self.refusal("\(header).\(Self.rfcClaims).\(changed)", keys) == .signature)
    // A last character with other bits that belong to no byte isn't another spelling of the same signature.
    #expect(try Self.refusal("\(header).\(Self.rfcClaims).\(signature.dropLast())\("_")", keys) != nil)
  }

  @Test func claimsGiveNameAndLimits() throws {
    let claims = Self.valid.merging(["rate": 20, "quota": 1000, "uploads": 50, "areas": 5, "concurrent": 6]) { $1 }
    let grant = try Self.keys().verify(try Self.token(claims), now: Self.now * 1000)
    var expected = KeyRing.Key(name: "fleet-7")
    expected.rate = RequestRate(perSecond: 20)
    (expected.quotaPerDay, expected.uploadsPerDay, expected.areasPerDay) = (1000, 50, 5)
    expected.concurrent = 6
    expected.expiresAt = Self.now + 660
    #expect(grant.key == expected)
    let list = Self.valid.merging(["aud": ["other", "contrail"]]) { $1 }
    #expect(try Self.refusal(try Self.token(list)) == nil)
  }

  @Test func wrongClaimsAreRefused() throws {
    let cases: [(Claims, TokenRefusal)] = [
      (["exp": Self.now - 61], .expired), (["exp": "soon"], .malformed), (["exp": -1], .malformed),
      (["exp": 1e300], .malformed), (["nbf": Self.now + 61], .notYetValid), (["aud": "other"], .otherAudience),
      (["aud": [String]()], .otherAudience), (["aud": 7], .malformed), (["sub": ""], .malformed),
      (["sub": "a b"], .malformed), (["sub": String(repeating: "a", count: 101)], .malformed),
      (["rate": 0], .malformed), (["quota": -5], .malformed), (["uploads": "many"], .malformed),
      (["concurrent": 0], .malformed),
    ]
    for (change, refusal) in cases {
      #expect(try Self.refusal(try Self.token(Self.valid.merging(change) { $1 })) == refusal, "\(change)")
    }
    for name in ["sub", "exp", "aud"] {
      #expect(try Self.refusal(try Self.token(Self.valid.filter { $0.key != name })) != nil, "without \(name)")
    }
    // Clocks may differ by a minute.
    #expect(try Self.refusal(try Self.token(Self.valid.merging(["exp": Self.now - 59]) { $1 })) == nil)
    #expect(try Self.refusal(try Self.token(Self.valid.merging(["nbf": Self.now + 59]) { $1 })) == nil)
  }

  @Test func theAlgorithmIsThatOfTheKey() throws {
    // The public key as a secret, the classic confusion.
    let raw = Array(Self.private256.publicKey.rawRepresentation)
    for secret in [raw, [4] + raw, Array(Self.private256.publicKey.pemRepresentation.utf8)] {
      let confused = try Self.token(Self.valid, header: ["alg": "HS256", "kid": "e"], secret: secret)
      #expect(try Self.refusal(confused) == .otherAlgorithm)
    }
    #expect(try Self.refusal(try Self.token(Self.valid, header: ["alg": "none", "kid": "s"])) == .otherAlgorithm)
    #expect(try Self.refusal(try Self.token(Self.valid, header: ["alg": "hs256", "kid": "s"])) == .otherAlgorithm)
    #expect(try Self.refusal(try Self.token(Self.valid, header: ["alg": "HS256", "kid": "x"])) == .unknownKey)
    #expect(try Self.refusal(try Self.token(Self.valid, header: ["alg": "HS256"])) == .unknownKey, "several keys")
    #expect(
      try Self.refusal(try Self.token(Self.valid, header: ["alg": "HS256", "kid": "s", "crit": ["b64"]])) == .malformed)
    #expect(
      try Self.refusal(try Self.token(Self.valid, header: ["alg": "HS256", "kid": "s"], secret: [1])) == .signature)
    let unsigned = try Self.token(Self.valid).split(separator: ".").prefix(2).joined(separator: ".") + "."
    #expect(try Self.refusal(unsigned) == .signature)
  }

  @Test func damagedTokensAreRefused() throws {
    let token = try Self.token(Self.valid)
    var random = SplitMix64(seed: 9)
    for _ in 0..<2000 {
      var bytes = Array(token.utf8)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 32..<127, using: &random)
      case 1: bytes.remove(at: Int.random(in: bytes.indices, using: &random))
      default:
        bytes.insert(UInt8.random(in: 32..<127, using: &random), at: Int.random(in: bytes.indices, using: &random))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if text != token { #expect(try Self.refusal(text) != nil) }
    }
    for text in ["", ".", "..", "...", "a.b.c", String(repeating: "a", count: 9000) + ".b.c"] {
      #expect(try Self.refusal(text) == .malformed)
    }
  }

  @Test func aPublicKeyInPEMVerifies() throws {
    let keys = try Self.keys(Self.private256.publicKey.pemRepresentation)
    let header = Self.url(Array(#"{"alg":"ES256","kid":"any"}"#.utf8))
    let text = header + "." + Self.url(try JSONSerialization.data(withJSONObject: Self.valid))
    let signature = try Self.private256.signature(for: Array(text.utf8)).rawRepresentation
    #expect(try Self.refusal(text + "." + Self.url(signature), keys) == nil)
  }

  @Test(arguments: [
    ("", "neither"), ("[]", "neither"), (jwks(), "no key"), (jwks(oct, oct), "same 'kid'"),
    (jwks(#"{"kty":"oct","k":"c2hvcnQ"}"#), "at least 32 bytes"), (jwks(#"{"kty":"EC","crv":"P-384"}"#), "P-256"),
    (jwks(#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#), "P-256"),
    (jwks(#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#), "2048 bits"), (jwks(#"{"kty":"OKP"}"#), "another algorithm"),
    (jwks(#"{"kty":"RSA","alg":"HS256"}"#), "another algorithm"),
    (jwks(#"{"kty":"EC","d":"AAAA"}"#), "private key"), (private256.pemRepresentation, "private key"),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "isn't a public key"),
    (jwks(#"{"kty":"EC","use":"enc"}"#), "no key"),
  ]) func invalidFilesAreNamed(text: String, words: String) {
    do throws(InputError) {
      _ = try TokenKeys(text, audience: "a", path: "tokens")
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains(words) && error.description.hasPrefix("tokens"), "\(error)")
    }
  }

  @Test func aSecretThatOthersMayReadIsRefused() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("tokens")
    for (text, mode, isAccepted) in [
      (Self.jwks(Self.oct), 0o644, false), (Self.jwks(Self.oct), 0o600, true), (Self.jwks(Self.ec), 0o644, true),
      (Self.jwks(Self.ec), 0o666, false),
    ] {
      try TemporaryDirectory.put(Array(text.utf8), path)
      chmod(path, mode_t(mode))
      #expect(((try? TokenKeys(path: path, audience: "a")) != nil) == isAccepted, "\(String(mode, radix: 8))")
    }
  }

  @Test func theServiceAcceptsTokensBesideKeys() async throws {
    var configuration = ServiceConfiguration(clock: { Self.now * 1000 })
    configuration.aircraft = 4
    configuration.keyRing = KeyRing(
      try KeyRing.keys("ground \(KeyRing.hash("secret"))", path: "keys"), verifier: try Self.keys())
    let service = ReferenceService(configuration)
    func answer(_ fields: [(String, String)]) async -> (Int, String) {
      let answer = await service.ask("/polygons/v5?hours=1", fields: fields)
      return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }
    let token = try Self.token(Self.valid.merging(["uploads": 1, "rate": 1]) { $1 })
    #expect(await answer([(WireHeader.apiKey, "secret")]).0 == 200)
    #expect(await answer([(WireHeader.apiKey, token)]).0 == 200)
    #expect(await answer([("Authorization", "Bearer \(token)")]).0 == 200)
    for (claims, code) in [
      (["exp": Self.now - 100], "TOKEN_EXPIRED"), (["nbf": Self.now + 100], "TOKEN_NOT_YET_VALID"),
      (["aud": "other"], "TOKEN_AUDIENCE"), (["sub": ""], "TOKEN_INVALID"),
    ] as [(Claims, String)] {
      let (status, body) = await answer([(WireHeader.apiKey, try Self.token(Self.valid.merging(claims) { $1 }))])
      #expect(status == 401 && body.contains(code), "\(body)")
    }
    #expect(await answer([("Authorization", "Basic abc")]).1.contains("KEY_MISSING"))
    #expect(await answer([(WireHeader.apiKey, "wrong")]).1.contains("KEY_UNKNOWN"))
    // Limits are of the name, whichever of its tokens is used.
    let other = try Self.token(Self.valid.merging(["uploads": 1, "rate": 1, "exp": Self.now + 700]) { $1 })
    var random = SplitMix64(seed: 1)
    let reports = LiveRig.reports(1, from: &random, at: Self.now)
    #expect(await service.upload(reports, key: "one", owner: token).status == 200)
    #expect(await service.upload(reports, key: "two", owner: other).status == 429)
    var statuses: [Int] = []
    for _ in 0..<12 { statuses.append(await answer([(WireHeader.apiKey, other)]).0) }
    #expect(statuses.last == 429)
  }

  @Test func aVerifiedTokenExpiresAndIsVerifiedAgainAfterAReload() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("tokens")
    func put(_ text: String) throws {
      try TemporaryDirectory.put(Array(text.utf8), path)
      chmod(path, 0o600)
    }
    try put(Self.jwks(Self.oct))
    let files = KeyFiles(keys: nil, tokens: (path, "contrail"))
    let ring = try files.ring()
    let token = try Self.token(Self.valid)
    #expect(await ring.name(of: token, now: Self.now * 1000) == "fleet-7")
    #expect(await ring.name(of: token, now: (Self.now + 659) * 1000) == "fleet-7")
    #expect(await ring.name(of: token, now: (Self.now + 660) * 1000) == nil)
    let reload = KeyReload((files, ring), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try put("damaged")
    await reload.reload()
    #expect(await ring.name(of: token, now: Self.now * 1000) == "fleet-7", "an invalid file changes nothing")
    try put(Self.jwks(Self.ec))
    await reload.reload()
    #expect(await ring.name(of: token, now: Self.now * 1000) == nil, "the key was withdrawn")
  }
}
