import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// A live service that is stopped while a tablet sends an upload.
@Suite(.timeLimit(.minutes(5))) struct DrainTests {
  private let rig = LiveRig()

  /// Stops a server when it has half of an upload, and returns the answer and the keys of the uploads in the log.
  private func stop(goingOn: Bool) async throws -> (status: Int?, keys: [String]) {
    var configuration = ServerConfiguration(seed: 11)
    configuration.aircraft = 0
    // Longer than any pause of a busy machine.
    (configuration.bodyTimeoutSeconds, configuration.drainSeconds) = (120, 120)
    configuration.clock = rig.clock
    configuration.live = try await rig.open()
    let server = try await ReferenceServer.start(configuration)
    let client = RawClient(port: server.port)
    let report = #"{"id":"85283473fffffff","alt":38,"sev":2,"edr":0.1121,"observedAt":\#(rig.now / 1000 - 10)}"#
    let body = Array("{\"reports\":[\(report)]}".utf8)
    var stopping: Task<Void, Never>?
    let answer = await client.postHalves("/reports/v5", ["Idempotency-Key": "one"], body: body) {
      stopping = Task { await server.stop() }
      // Until the server doesn't listen any more.
      while await client.get("/health") != nil {}
      return goingOn
    }
    await stopping?.value
    return (answer?.status, try keys())
  }

  private func keys() throws -> [String] {
    let reader = try LogReader(path: "/log", storage: rig.disk)
    var keys: [String] = []
    while let line = try reader.next() {
      if case .uploaded(let upload) = try ServiceLine(line) { keys.append(upload.key) }
    }
    return keys
  }

  @Test func anUploadThatWasBegunIsCompleted() async throws {
    let (status, keys) = try await stop(goingOn: true)
    #expect(status == 200 && keys == ["one"])
  }

  @Test func anUploadThatIsCutIsNotStored() async throws {
    let (status, keys) = try await stop(goingOn: false)
    #expect(status == nil && keys.isEmpty)
  }
}
