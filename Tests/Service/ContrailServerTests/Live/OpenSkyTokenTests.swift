import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import Foundation
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// The credentials of a client of OpenSky: a token for them, requests with the token, and no trace of the secret.
@Suite struct OpenSkyTokenTests {
  /// Issues tokens, and answers requests with the newest one until it is revoked.
  private final class OpenSky: @unchecked Sendable {
    private let lock = NSLock()
    private var issued = 0
    private var isRevoked = false
    private var refuses = false

    func revoke() { lock.withLock { isRevoked = true } }
    /// Refuses credentials from now on.
    func refuse() { lock.withLock { refuses = true } }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      lock.withLock {
        if request.target == "/token" {
          // Servers may repeat what is wrong.
          guard !refuses else { return [.answer(400, [:], request.body)] }
          (issued, isRevoked) = (issued + 1, false)
          return [.answer(200, [:], Array(#"{"access_token":"token-\#(issued)","expires_in":1800}"#.utf8))]
        }
        guard !isRevoked, request.header("Authorization") == "Bearer token-\(issued)" else { return [.answer(401)] }
        return [.answer(200, [:], Array(DayFixture.states([DayFixture.state("4b1805")]).utf8))]
      }
    }
  }

  private let openSky = OpenSky()
  private let server: ScriptedServer
  private let source: FeedSource
  private let fetcher: FeedFetcher
  private let rig = LiveRig(at: DayFixture.eleven * 1000)

  init() throws {
    let openSky = openSky
    server = try ScriptedServer { openSky.answer($0) }
    source = try #require(try FeedSource.sources("opensky=\(server.address)/states").first)
    var client = FeedFetcher.OpenSkyClient(id: "pilot", secret: "s&cret +1")
    client.tokenURL = server.address + "/token"
    fetcher = FeedFetcher(agent: "test", openSky: client)
  }

  private var request: Poller.Request {
    Poller.Request(source: source, entityTag: nil, hours: 1, timeoutSeconds: 30, maximumBytes: 1 << 20)
  }

  /// Asks the source at a time in seconds, stores the line, and returns the status of the answer.
  private func ask(_ live: LiveService, after seconds: Int64) async throws -> Int? {
    let outcome = await fetcher.fetch(request, now: DayFixture.eleven * 1000 + seconds * 1000)
    let poller = Poller(sources: [source], reader: .complete)
    let (line, records) = poller.result(outcome, of: request, SourceState())
    _ = try await live.observations.record(line, records: records)
    guard case .answer(let status, _, _, _, _, _) = outcome else { return nil }
    return status
  }

  @Test func aTokenIsUsedUntilItExpiresOrIsRefused() async throws {
    let live = try await rig.open()
    #expect(try await ask(live, after: 0) == 200)
    #expect(try await ask(live, after: 1739) == 200)
    #expect(try await ask(live, after: 1740) == 200, "a minute before it expires")
    openSky.revoke()
    #expect(try await ask(live, after: 1800) == 401)
    #expect(try await ask(live, after: 1860) == 200)
    await fetcher.shutdown()
    let seen = server.requests.map { "\($0.method) \($0.target) \($0.header("Authorization") ?? "-")" }
    #expect(
      seen == [
        "POST /token -", "GET /states Bearer token-1", "GET /states Bearer token-1", "POST /token -",
        "GET /states Bearer token-2", "GET /states Bearer token-2", "POST /token -", "GET /states Bearer token-3",
      ])
    let form = try #require(server.requests.first)
    #expect(form.header("Content-Type") == "application/x-www-form-urlencoded")
    let fields = String(decoding: form.body, as: UTF8.self).split(separator: "&").map { $0.removingPercentEncoding }
    #expect(fields == ["grant_type=client_credentials", "client_id=pilot", "client_secret=s&cret +1"])
  }

  @Test func neitherTheSecretNorATokenIsInTheLog() async throws {
    let live = try await rig.open()
    #expect(try await ask(live, after: 0) == 200)
    openSky.revoke()
    #expect(try await ask(live, after: 60) == 401)
    openSky.refuse()
    #expect(try await ask(live, after: 120) == nil)
    try await live.observations.finish()
    await fetcher.shutdown()
    let reader = try LogReader(path: "/log", storage: rig.disk)
    var text = ""
    while let line = try reader.next() { text += String(decoding: line.bytes, as: UTF8.self) + "\n" }
    #expect(text.contains("4b1805") && text.contains("the status 401"), "\(text)")
    #expect(text.contains("the token was refused with the status 400"), "\(text)")
    for secret in ["s&cret", "s%26cret", "cret +1", "token-1", "client_secret"] {
      #expect(!text.contains(secret), "\(secret): \(text)")
    }
  }

  /// A source that isn't OpenSky's gets no token.
  @Test func aTokenGoesToOpenSkyAlone() async throws {
    let receiver = try #require(try FeedSource.sources("receiver=\(server.address)/aircraft.json").first)
    _ = await fetcher.fetch(
      Poller.Request(source: receiver, entityTag: nil, hours: 1, timeoutSeconds: 30, maximumBytes: 1 << 20), now: 0)
    await fetcher.shutdown()
    #expect(server.requests.map(\.target) == ["/aircraft.json"])
    #expect(server.requests.first?.header("Authorization") == nil)
  }
}
