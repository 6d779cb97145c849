import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Synchronization
import Testing

@testable import ContrailWorld

/// Accepts the texts that it lists, and counts how often it is asked.
private final class ListedTokens: TokenVerifier {
  private let grants: [String: KeyRing.Key]
  private let calls = Mutex(0)

  init(_ grants: [String: KeyRing.Key]) { self.grants = grants }

  var count: Int { calls.withLock { $0 } }

  func verify(_ token: String, now: Int64) throws(TokenRefusal) -> TokenGrant {
    calls.withLock { $0 += 1 }
    guard let key = grants[token] else { throw .signature }
    if let expiresAt = key.expiresAt, expiresAt <= now / 1000 { throw .expired }
    return TokenGrant(key: key)
  }
}

/// A file of keys, and what a key may do.
@Suite struct KeyRingTests {
  private static let text = """
    # name  hash  limits
    tablets \(KeyRing.hash("secret")) expires=2026-06-01 rate=2 quota=30
    ground  \(KeyRing.hash("other"))  # without limits
    """

  @Test func aFileHasNamesAndLimits() throws {
    let keys = try KeyRing.keys(Self.text, path: "keys")
    #expect(keys.map(\.name) == ["tablets", "ground"])
    #expect(
      keys[0].expiresAt == 1_780_272_000 && keys[0].quotaPerDay == 30 && keys[0].rate == RequestRate(perSecond: 2))
    #expect(keys[1].expiresAt == nil && keys[1].rate == nil)
    // SHA-256 of "abc" (FIPS 180-4, example).
    #expect(KeyRing.hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [
    ("", nil), ("# nothing", nil), ("name", 1), ("name secret", 1), ("\na \(KeyRing.hash("a")) rate=0", 2),
    ("a \(KeyRing.hash("a")) expires=soon", 1), ("a \(KeyRing.hash("a")) holds=-1", 1),
    ("a \(KeyRing.hash("a")) concurrent=0", 1),
    ("a \(KeyRing.hash("a")) colour=red", 1),
    ("a \(KeyRing.hash("a"))\nb \(KeyRing.hash("a"))", 2),
  ]) func anInvalidLineIsNamedWithoutItsSecret(text: String, line: Int?) {
    do throws(InputError) {
      _ = try KeyRing.keys(text, path: "keys")
      Issue.record("accepted")
    } catch {
      #expect(error.line == line)
      #expect(text != "name" || error.description.contains("'contrail keys NAME' makes one"))
      #expect(!error.description.contains("secret") && !error.description.contains(KeyRing.hash("a")))
    }
  }

  @Test func aKeyHasItsRateQuotaAndExpiry() async throws {
    let ring = KeyRing(try KeyRing.keys(Self.text, path: "keys"))
    let now = Samples.noon * 1000
    #expect(await ring.admit("wrong", now: now) == .unknown)
    for _ in 0..<20 { #expect(await ring.admit("secret", now: now) == .accepted) }
    #expect(await ring.admit("secret", now: now) == .wait(seconds: 1))
    for second in 1...9 { _ = await ring.admit("secret", now: now + Int64(second) * 60_000) }
    #expect(await ring.admit("secret", now: now + 3_600_000) == .wait(seconds: 11 * 3600), "until midnight")
    #expect(await ring.admit("secret", now: now + 86_400_000) == .accepted)
    #expect(await ring.admit("secret", now: 1_780_272_000_000) == .expired)
    await ring.replace([])
    #expect(await ring.admit("other", now: now) == .unknown)
  }

  @Test func everyLimitOfTheFileIsRead() throws {
    let hash = KeyRing.hash("a")
    let line =
      "a \(hash.uppercased())\texpires=2026-06-01T12:00:00Z rate=1000000 quota=1 uploads=1 areas=1 holds=0 concurrent=1\r"
    var key = KeyRing.Key(name: "a", hash: hash)
    key.expiresAt = 1_780_315_200
    key.rate = RequestRate(perSecond: 1_000_000)
    (key.quotaPerDay, key.uploadsPerDay, key.areasPerDay, key.holds, key.concurrent) = (1, 1, 1, 0, 1)
    #expect(try KeyRing.keys("\n# a comment\n" + line, path: "keys") == [key])
    let refused = [
      "rate=1000001", "rate=x", "quota=0", "quota=x", "uploads=0", "uploads=x", "areas=0", "areas=x", "holds=x",
      "concurrent=x", "rate", "expires",
    ]
    for word in refused {
      let error = #expect(throws: InputError.self) { try KeyRing.keys("a \(hash) \(word)", path: "keys") }
      #expect(error?.line == 1 && error?.description.contains("'\(word)' is invalid") == true, "\(word)")
    }
    let short = String(hash.dropLast())
    for invalid in [short, hash + "0"] + ["g", "/", ":", "`"].map({ short + $0 }) {
      #expect(throws: InputError.self) { try KeyRing.keys("a \(invalid)", path: "keys") }
    }
  }

  @Test func whyAKeyIsRefusedIsSaid() async throws {
    let ring = KeyRing(try KeyRing.keys(Self.text, path: "keys"))
    let now = Samples.noon * 1000
    let end: Int64 = 1_780_272_000_000
    #expect(await ring.refusal(of: "secret", now: now) == nil)
    #expect(await ring.name(of: "secret", now: now) == "tablets")
    #expect(await ring.refusal(of: "secret", now: end - 1) == nil)
    #expect(await ring.refusal(of: "secret", now: end) == .expired)
    #expect(await ring.name(of: "secret", now: end) == nil)
    #expect(await ring.use(.upload, by: "secret", now: end) == nil)
    #expect(await ring.refusal(of: "wrong", now: now) == .unknown)
    #expect(await ring.name(of: "wrong", now: now) == nil)
    #expect(await ring.refusal(of: "a.b.c", now: now) == .unknown, "no token is accepted")
  }

  /// A changed rate starts with a full bucket. An unchanged one keeps its count.
  @Test func aKeyThatRemainsGoesOn() async throws {
    let now = Samples.noon * 1000
    func keys(rate: Int) throws -> [KeyRing.Key] {
      try KeyRing.keys("a \(KeyRing.hash("a")) rate=\(rate) quota=40", path: "keys")
    }
    let ring = KeyRing(try keys(rate: 1))
    for _ in 0..<10 { #expect(await ring.admit("a", now: now) == .accepted) }
    await ring.replace(try keys(rate: 1))
    #expect(await ring.admit("a", now: now) == .wait(seconds: 1))
    await ring.replace(try keys(rate: 2))
    for _ in 0..<20 { #expect(await ring.admit("a", now: now) == .accepted) }
    #expect(await ring.admit("a", now: now) == .wait(seconds: 1))
    // The quota counts all 32, and the day goes on.
    for second in 1...8 { #expect(await ring.admit("a", now: now + Int64(second) * 1000) == .accepted) }
    #expect(await ring.admit("a", now: now + 9000) == .wait(seconds: 43_200 - 9))
  }

  @Test func aLimitBelongsToAName() async throws {
    let ring = KeyRing(
      try KeyRing.keys("a \(KeyRing.hash("a")) holds=3 concurrent=5\nb \(KeyRing.hash("b"))", path: "keys"))
    #expect(await ring.caller(of: "a", with: { $0.holds }, now: 0) == LimitedCaller(name: "a", limit: 3))
    #expect(await ring.caller(of: "a", with: { $0.concurrent }, now: 0) == LimitedCaller(name: "a", limit: 5))
    #expect(await ring.caller(of: "b", with: { $0.holds }, now: 0) == nil)
    #expect(await ring.caller(of: "c", with: { $0.holds }, now: 0) == nil)
  }

  // MARK: Tokens

  private static func grant(
    _ name: String, until expiresAt: Int64? = Samples.noon + 3600, rate: Int? = nil, quota: Int? = nil
  ) -> KeyRing.Key {
    var key = KeyRing.Key(name: name)
    key.expiresAt = expiresAt
    key.rate = rate.map { RequestRate(perSecond: $0) }
    key.quotaPerDay = quota
    return key
  }

  @Test func aTokenIsVerifiedOnceUntilItExpires() async throws {
    let now = Samples.noon * 1000
    let verifier = ListedTokens(["a.b.c": Self.grant("tablet")])
    let ring = KeyRing(try KeyRing.keys("ground \(KeyRing.hash("x.y.z"))", path: "keys"), verifier: verifier)
    // A key of the file may look like a token. Other texts aren't tokens.
    #expect(await ring.name(of: "x.y.z", now: now) == "ground")
    for text in ["a", "a.b", "a.b.c.d", ""] { #expect(await ring.refusal(of: text, now: now) == .unknown) }
    #expect(verifier.count == 0)
    for _ in 0..<3 { #expect(await ring.name(of: "a.b.c", now: now) == "tablet") }
    #expect(await ring.admit("a.b.c", now: now + 3_599_999) == .accepted)
    #expect(verifier.count == 1)
    #expect(await ring.refusal(of: "a.b.c", now: now + 3_600_000) == .token(.expired))
    #expect(await ring.admit("a.b.c", now: now + 3_600_000) == .unknown)
    #expect(await ring.refusal(of: "a.b.d", now: now) == .token(.signature))
  }

  @Test func tokensOfANameShareItsCounts() async throws {
    let now = Samples.noon * 1000
    let limited = Self.grant("tablet", rate: 1, quota: 15)
    var generous = limited
    generous.rate = RequestRate(perSecond: 2)
    var longer = limited
    longer.expiresAt = Samples.noon + 7200
    let verifier = ListedTokens(["1.1.1": limited, "2.2.2": limited, "3.3.3": longer, "4.4.4": generous])
    let ring = KeyRing([], verifier: verifier)
    for _ in 0..<5 { #expect(await ring.admit("1.1.1", now: now) == .accepted) }
    for _ in 0..<4 { #expect(await ring.admit("2.2.2", now: now) == .accepted) }
    // With another expiry the rate goes on.
    #expect(await ring.admit("3.3.3", now: now) == .accepted)
    #expect(await ring.admit("3.3.3", now: now) == .wait(seconds: 1))
    // Another rate starts with a full bucket. The quota keeps its count.
    for _ in 0..<4 { #expect(await ring.admit("4.4.4", now: now) == .accepted) }
    #expect(await ring.admit("4.4.4", now: now) == .wait(seconds: 43_200))
  }

  @Test func eachNameHasCountsOfItsOwn() async throws {
    let now = Samples.noon * 1000
    let ring = KeyRing(
      [], verifier: ListedTokens(["1.1.1": Self.grant("one", quota: 1), "2.2.2": Self.grant("two", quota: 1)]))
    for token in ["1.1.1", "2.2.2"] { #expect(await ring.admit(token, now: now) == .accepted) }
    for token in ["1.1.1", "2.2.2"] { #expect(await ring.admit(token, now: now) == .wait(seconds: 43_200)) }
  }

  @Test func aTokenWithoutAnEndIsVerifiedEachTime() async throws {
    let verifier = ListedTokens(["a.b.c": Self.grant("tablet", until: nil)])
    let ring = KeyRing([], verifier: verifier)
    for _ in 0..<3 { #expect(await ring.admit("a.b.c", now: Samples.noon * 1000) == .accepted) }
    #expect(verifier.count == 3)
  }

  /// Names without a valid token and without a use today are removed if there are many.
  @Test func manyNamesDoNotFillMemory() async throws {
    let now = Samples.noon * 1000
    var grants: [String: KeyRing.Key] = [:]
    for number in 0..<20_000 {
      grants["\(number).."] = Self.grant("\(number)", until: Samples.noon + (number % 2 == 0 ? 1 : 60), quota: 1)
    }
    for (token, name) in [("new..", "new"), ("4..again", "4"), ("6..again", "6")] {
      grants[token] = Self.grant(name, until: Samples.noon + 60, quota: 1)
    }
    let verifier = ListedTokens(grants)
    let ring = KeyRing(try KeyRing.keys("ground \(KeyRing.hash("a"))", path: "keys"), verifier: verifier)
    for number in 0..<20_000 { _ = await ring.name(of: "\(number)..", now: now) }
    #expect(await ring.admit("4..", now: now) == .accepted)
    // The tokens of even numbers have expired.
    #expect(await ring.name(of: "new..", now: now + 1000) == "new")
    let count = verifier.count
    #expect(await ring.name(of: "1..", now: now + 1000) == "1")
    #expect(await ring.name(of: "a", now: now + 1000) == "ground")
    #expect(verifier.count == count)
    #expect(await ring.admit("4..again", now: now + 1000) == .wait(seconds: 43_199))
    #expect(await ring.admit("6..again", now: now + 1000) == .accepted)
  }

  @Test func newKeysOfAnIssuerVerifyTokensAgain() async throws {
    let now = Samples.noon * 1000
    let grant = Self.grant("tablet", quota: 2)
    let (first, second) = (ListedTokens(["a.b.c": grant]), ListedTokens(["a.b.c": grant]))
    let ring = KeyRing([], verifier: first)
    #expect(await ring.admit("a.b.c", now: now) == .accepted)
    await ring.replace([], verifier: second)
    #expect(await ring.admit("a.b.c", now: now) == .accepted && first.count == 1 && second.count == 1)
    #expect(await ring.admit("a.b.c", now: now) == .wait(seconds: 43_200), "the counts of the name go on")
    await ring.replace([])
    #expect(await ring.refusal(of: "a.b.c", now: now) == .unknown)
    await ring.replace([], verifier: second)
    #expect(await ring.admit("a.b.c", now: now) == .accepted, "the counts of the name went with the verifier")
  }

  /// Remembers 20,000 tokens. If all of them are valid, they are verified again, which costs time and changes nothing.
  @Test func manyTokensDoNotFillMemory() async throws {
    let now = Samples.noon * 1000
    var grants: [String: KeyRing.Key] = [:]
    for number in 0...20_000 {
      grants["\(number).."] = Self.grant("tablet", until: Samples.noon + (number == 0 ? 1 : 60))
    }
    let verifier = ListedTokens(grants)
    let ring = KeyRing([], verifier: verifier)
    for number in 0..<20_000 { _ = await ring.name(of: "\(number)..", now: now) }
    #expect(verifier.count == 20_000)
    // The first one has expired and makes room.
    _ = await ring.name(of: "20000..", now: now + 1000)
    _ = await ring.name(of: "1..", now: now + 1000)
    #expect(verifier.count == 20_001)
    // No room: the others are verified again.
    #expect(await ring.refusal(of: "0..", now: now + 1000) == .token(.expired))
    let full = KeyRing([], verifier: verifier)
    for number in 1...20_000 { _ = await full.name(of: "\(number)..", now: now) }
    let count = verifier.count
    _ = await full.name(of: "0..", now: now)
    _ = await full.name(of: "1..", now: now)
    #expect(verifier.count == count + 2)
  }

  @Test func aKeyHasUploadsAndAreasOfADay() async throws {
    let now = Samples.noon * 1000
    let keys = try KeyRing.keys("tablets \(KeyRing.hash("secret")) uploads=2 areas=1", path: "keys")
    let ring = KeyRing(keys)
    for use in [KeyRing.Allowance.upload, .upload, .area, .request] {
      #expect(await ring.use(use, by: "secret", now: now) == nil)
    }
    #expect(await ring.use(.upload, by: "secret", now: now) == 12 * 3600, "until midnight")
    await ring.replace(keys)
    #expect(await ring.use(.area, by: "secret", now: now) == 12 * 3600, "the counts of a key that remains go on")
    #expect(await ring.use(.area, by: "secret", now: now + 43_200_000) == nil)
  }

  @Test func anUploadBeyondTheAllowanceIsRefused() async throws {
    var configuration = ServiceConfiguration(clock: { Samples.noon * 1000 })
    configuration.aircraft = 4
    configuration.keyRing = KeyRing(
      try KeyRing.keys("tablets \(KeyRing.hash("secret")) uploads=1 areas=1", path: "keys"))
    let service = ReferenceService(configuration)
    var random = SplitMix64(seed: 1)
    let reports = LiveRig.reports(1, from: &random, at: Samples.noon)
    #expect(await service.upload(reports, key: "one", owner: "secret").status == 200)
    let refused = await service.upload(reports, key: "two", owner: "secret")
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "43200")
    // Beyond the areas of a day, answers have no handle.
    for (west, hasHandle) in [(0.0, true), (0.0, true), (20, false)] {
      let ring = Samples.rectangle(west: west, south: 0, east: west + 10, north: 10)
      let answer = await service.ask(
        ObservationsRequest.path, body: ObservationsRequest(ring: ring, filter: Filter()).json,
        fields: [(WireHeader.apiKey, "secret")])
      #expect(answer.status == 200 && (answer.headers[WireHeader.area] != nil) == hasHandle)
    }
  }

  @Test func requestsAreCountedForEachName() {
    var requests = CallerCounts()
    let (one, two) = (LimitedCaller(name: "a", limit: 2), LimitedCaller(name: "b", limit: 1))
    #expect([one, one, one].map { requests.begin($0) } == [true, true, false])
    #expect([two, two, nil].map { requests.begin($0) } == [true, false, true])
    requests.end(one)
    requests.end(nil)
    #expect([one, one, two].map { requests.begin($0) } == [true, false, false])
  }

  @Test func theServiceAcceptsTheKeysOfTheRing() async throws {
    var configuration = ServiceConfiguration(clock: { Samples.noon * 1000 })
    configuration.aircraft = 4
    configuration.keyRing = KeyRing(try KeyRing.keys(Self.text, path: "keys"))
    let service = ReferenceService(configuration)
    func status(_ key: String?) async -> Int {
      await service.ask("/polygons/v5?hours=1", fields: key.map { [(WireHeader.apiKey, $0)] } ?? []).status
    }
    #expect(await status(nil) == 401)
    #expect(await status("wrong") == 401)
    #expect(await status("other") != 401)
  }
}
