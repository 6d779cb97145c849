import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import ContrailTestSupport
import Foundation
import Testing

/// Files of airports from servers that aren't as they should be.
@Suite struct HTTPAirportTests {
  /// Waits that are told and not made.
  private final class Waits: @unchecked Sendable {
    /// Guards `seconds`.
    private let lock = NSLock()
    private var seconds: [Duration] = []

    func append(_ duration: Duration) { lock.withLock { seconds.append(duration) } }
    var all: [Duration] { lock.withLock { seconds } }
  }

  private struct Rig {
    let scratch: Scratch
    let loader: AirportLoader
    let waits = Waits()

    init(_ address: String, key: String? = nil) throws {
      scratch = try Scratch()
      let waits = waits
      let transport = try PlatformTransport.make(server: address)
      loader = AirportLoader(
        database: try scratch.database(),
        transport: HTTPAirportTransport(transport: transport, headers: { key.map { [("X-Key", $0)] } ?? [] }),
        folder: scratch.path("downloads"), sleep: { waits.append($0) })
    }

    func failure() async -> AirportLoaderError? {
      do throws(AirportLoaderError) {
        try await loader.load(Times.cycle, at: Times.cycle.effectiveTime)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func oneRedirectIsFollowedWithoutTheKey(_ status: Int) async throws {
    let other = try ScriptedServer(.answer(200, [:], [1]))
    let server = try ScriptedServer(.answer(status, ["Location": other.address + "/assets/1?sig=a%2Fb"]))
    let error = try await Rig(server.address, key: "secret").failure()
    // The file is received; it has one byte.
    #expect(error?.code == "truncated")
    #expect(server.requests.first?.header("x-key") == "secret")
    let followed = try #require(other.requests.first)
    #expect(followed.target == "/assets/1?sig=a%2Fb")
    #expect(followed.header("x-key") == nil)
  }

  @Test func aSecondRedirectIsRefused() async throws {
    let last = try ScriptedServer(.answer(200, [:], [1]))
    let other = try ScriptedServer(.answer(302, ["Location": last.address + "/"]))
    let server = try ScriptedServer(.answer(302, ["Location": other.address + "/"]))
    let error = try await Rig(server.address).failure()
    #expect(error?.code == "refused")
    #expect(error.map { "\($0)" }?.contains("redirect") == true)
    #expect(last.requests.isEmpty)
  }

  @Test func aRedirectStaysInTLSAndNamesNoUser() {
    let other = Redirect("https://assets.example/a?b", isSecure: true)
    #expect(other?.server == "https://assets.example" && other?.target == "/a?b")
    #expect(Redirect("/a", isSecure: true)?.server == nil)
    #expect(Redirect("http://assets.example:8080", isSecure: false)?.server == "http://assets.example:8080")
    for location in [
      nil, "", "a", "//assets.example/a", "http://assets.example/a", "ftp://assets.example/a", "https:///a",
      "https://user:word@assets.example/a", "https://user@assets.example/a",
    ] {
      #expect(Redirect(location, isSecure: true) == nil, "\(location ?? "nil")")
    }
  }

  /// How much more each answer brings before it breaks, whether the file has a tag, and how often it is asked for.
  @Test(arguments: [(1, false, 3), (100_000, false, 3), (1, true, 32), (100_000, true, 32)])
  func answersThatBreakLaterEachTimeAreAskedForABoundedNumberOfTimes(
    _ gain: Int, _ hasTag: Bool, _ count: Int
  ) async throws {
    let server = try ScriptedServer { request in
      let range = request.header("Range")?.dropFirst(6).dropLast() ?? "0"
      let first = Int(range) ?? 0
      let tag = hasTag ? "ETag: \"a\"\r\n" : ""
      let status = first == 0 ? "200 OK" : "206 Part\r\nContent-Range: bytes \(first)-8999999/9000000"
      let head = "HTTP/1.1 \(status)\r\n\(tag)Content-Length: \(9_000_000 - first)\r\n\r\n"
      return [.send(Array(head.utf8) + [UInt8](repeating: 1, count: gain))]
    }
    let rig = try Rig(server.address)
    #expect(await rig.failure()?.code == "unreachable")
    #expect(server.requests.count == count)
    #expect(rig.waits.all.count == count - 1)
    if hasTag, gain == 1 {
      let seconds = [1, 2, 4, 8, 16, 32, 60, 60]
      #expect(Array(rig.waits.all.prefix(8)) == seconds.map { Duration.seconds($0) })
    } else if hasTag {
      #expect(rig.waits.all.allSatisfy { $0 == .seconds(1) })
    }
  }

  /// Behind a balancer, two servers may have two files: each answer is of another one, and none is ever complete.
  @Test func aFileThatIsAnotherOneEachTimeIsAskedForABoundedNumberOfTimes() async throws {
    let turns = Lock(0)
    let server = try ScriptedServer { request in
      let turn = turns.withLock { turn in
        turn += 1
        return turn
      }
      // A range of another file is answered with the whole file.
      let head = "HTTP/1.1 200 OK\r\nETag: \"\(turn % 2)\"\r\nContent-Length: 9000000\r\n\r\n"
      return [.send(Array(head.utf8) + [UInt8](repeating: 1, count: 100_000))]
    }
    let rig = try Rig(server.address)
    #expect(await rig.failure()?.code == "unreachable")
    #expect((2...32).contains(server.requests.count))
  }

  @Test func progressIsToldAsTheBytesCome() async throws {
    let server = try ScriptedServer(
      .text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), .send([UInt8](repeating: 1, count: 500)), .hold)
    let rig = try Rig(server.address)
    let states = rig.loader.states
    let load = Task { await rig.failure() }
    for await state in states.values() where state == .downloading(progress: 0.5) { break }
    load.cancel()
    #expect(await load.value == .cancelled)
  }

  @Test func aStatusThatHTTPDoesNotHaveIsAnError() async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 000 -\r\nContent-Length: 0\r\n\r\n"))
    #expect(try await Rig(server.address).failure()?.code == "malformed")
    #expect(server.requests.count == 1)
  }

  @Test func anEndlessFileIsCutOff() async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\n\r\n"), .flood([UInt8](repeating: 1, count: 1 << 16)))
    #expect(try await Rig(server.address).failure() != nil)
    #expect(server.requests.count == 1)
  }

  @Test func aFileAboveTheLimitIsRefusedBeforeItIsRead() async throws {
    let rig = try Rig(ScriptedServer.refusingAddress())
    let path = rig.scratch.path("large")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    // A file of holes: it takes no room on the disk.
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 64 << 30)
    try file.close()
    let error = await #expect(throws: AirportLoaderError.self) {
      try await rig.loader.load(contentsOf: path, at: Times.cycle.effectiveTime)
    }
    #expect(error?.code == "oversized")
  }
}
