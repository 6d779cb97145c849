import ContrailLog
import ContrailServiceSupport
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

/// Keys over a socket, and their file.
@Suite struct KeyTests {
  /// A request that is being received counts. Meanwhile, another one of the key is refused, and those of other keys are answered.
  @Test(.timeLimit(.minutes(5))) func aKeyHasAsManyRequestsAtATimeAsItMay() async throws {
    let keys = try KeyRing.keys("one \(KeyRing.hash("a")) concurrent=1\nmany \(KeyRing.hash("b"))", path: "keys")
    var random = SplitMix64(seed: 4)
    let body = ReportsUpload(reports: LiveRig.reports(1, from: &random, at: Samples.noon)).json
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

  @Test func aFileThatOthersMayReadIsRefused() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("keys")
    try TemporaryDirectory.put(Array("one \(KeyRing.hash("a"))\ntwo \(KeyRing.hash("b"))".utf8), path)
    chmod(path, 0o644)
    #expect(throws: InputError.self) { try KeyReload.keys(path) }
    chmod(path, 0o600)
    #expect(try KeyReload.keys(path).count == 2)
    #expect(throws: InputError.self) { try KeyReload.keys(directory.path) }
  }
}
