import ContrailLog
import ContrailTestSupport
import ContrailWire
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
    let reports = try LiveRig.reports(1, from: &random, at: Samples.noon)
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

  /// A request that is being received counts. Meanwhile, another one of the key is refused, and those of other keys are answered.
  @Test(.timeLimit(.minutes(5))) func aKeyHasAsManyRequestsAtATimeAsItMay() async throws {
    let keys = try KeyRing.keys("one \(KeyRing.hash("a")) concurrent=1\nmany \(KeyRing.hash("b"))", path: "keys")
    var random = SplitMix64(seed: 4)
    let body = ReportsUpload(reports: try LiveRig.reports(1, from: &random, at: Samples.noon)).json
    let operations = Operations(live: nil, sources: [], version: "test") { Samples.noon * 1000 }
    try await withServer({
      $0.keyRing = KeyRing(keys)
      $0.operations = operations
    }) { client in
      func ask(_ path: String, key: String) async -> RawClient.Answer? {
        await client.get(path, [WireHeader.apiKey: key])
      }
      var refused: RawClient.Answer?
      var others: [Int?] = []
      let upload = await client.postHalves(
        ReportsUpload.path, [WireHeader.apiKey: "a", WireHeader.idempotencyKey: "one"], body: body
      ) {
        while await operations.inProgress("reports") != 1 { await Task.yield() }
        refused = await ask("/airports/v1/cycles", key: "a")
        // Another key, and a path that needs none.
        others = [await ask("/airports/v1/cycles", key: "b")?.status, await ask("/health", key: "a")?.status]
        return true
      }
      #expect(upload?.status == 200 && others == [200, 200])
      #expect(refused?.status == 429 && refused?.errorCode == "TOO_MANY_REQUESTS")
      #expect(refused?.fields["retry-after"] == "1")
      // The server ends the first request soon after its last byte.
      var status: Int?
      while status != 200 { status = await ask("/airports/v1/cycles", key: "a")?.status }
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

  @Test func aFileThatOthersMayReadIsRefused() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("keys")
    try TemporaryDirectory.put(Array(Self.text.utf8), path)
    chmod(path, 0o644)
    #expect(throws: InputError.self) { try KeyReload.keys(path) }
    chmod(path, 0o600)
    #expect(try KeyReload.keys(path).count == 2)
    #expect(throws: InputError.self) { try KeyReload.keys(directory.path) }
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
