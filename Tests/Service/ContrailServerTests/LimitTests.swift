import ContrailServiceSupport
import ContrailTestSupport
import ContrailWire
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// Connections that hold on to what the server has, over real sockets. The limits are short, and each test waits for the server to
/// close the connection.
@Suite(.timeLimit(.minutes(5))) struct LimitTests {
  private static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private static let long = Duration.seconds(200)

  /// Runs a server over TLS.
  private func withSecureServer(
    _ limit: (inout ConnectionLimits) -> Void, _ body: (Int) async throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    let files = ServerCertificate(chain: folder.file("certificate.pem"), key: folder.file("key.pem"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.openssl))
    process.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
      "/CN=localhost", "-keyout", files.key, "-out", files.chain,
    ]
    process.standardError = Pipe()
    try process.run()
    process.waitUntilExit()
    var limits = ConnectionLimits()
    (limits.handshake, limits.idle, limits.drain) = (Self.long, Self.long, Self.long)
    limit(&limits)
    try await withServer({
      $0.certificate = files
      $0.limits = limits
    }) { try await body($0.port) }
    withExtendedLifetime(folder) {}
  }

  // MARK: Handshakes and idle connections

  @Test(
    .enabled(if: openssl != nil, "openssl is missing"), arguments: [[], Array(RawConnection.clientHello.prefix(20))])
  func aHandshakeThatDoesNotEndIsGivenUp(_ bytes: [UInt8]) async throws {
    try await withSecureServer({ $0.handshake = .milliseconds(200) }) { port in
      let connection = try await RawConnection.open(port)
      // On a busy machine, the connection may be closed before.
      try? await connection.send(bytes)
      try await connection.channel.closeFuture.get()
    }
  }

  @Test(.enabled(if: openssl != nil, "openssl is missing"), arguments: [[], Frame.preface])
  func anIdleConnectionOverTLSIsClosed(_ bytes: [UInt8]) async throws {
    try await withSecureServer({
      $0.idle = .milliseconds(200)
      $0.drain = .milliseconds(200)
    }) { port in
      // It answers no PING, so a farewell alone doesn't end it.
      let connection = try await RawConnection.open(port, secured: true)
      try? await connection.send(bytes)
      try await connection.channel.closeFuture.get()
    }
  }

  @Test(.enabled(if: openssl != nil, "openssl is missing"))
  func deprecatedVersionsOfTLSAreRefused() async throws {
    try await withSecureServer({ _ in }) { port in
      for version in [TLSVersion.tlsv1, .tlsv11] {
        await #expect(throws: (any Error).self, "\(version)") {
          _ = try await RawConnection.open(port, secured: true, upTo: version)
        }
      }
      for version in [TLSVersion.tlsv12, .tlsv13] {
        let connection = try await RawConnection.open(port, secured: true, upTo: version)
        try await connection.channel.close()
      }
    }
  }

  @Test(.enabled(if: openssl != nil, "openssl is missing"))
  func aConnectionThatOnlyTricklesIsClosedAfterTheFarewell() async throws {
    try await withSecureServer({
      $0.idle = .milliseconds(200)
      $0.drain = .milliseconds(200)
    }) { port in
      let connection = try await RawConnection.open(port, secured: true)
      try? await connection.send(Frame.preface)
      // Frames that ask for nothing, until the server closes the connection.
      while connection.channel.isActive {
        do { try await connection.send(Frame.windowUpdate(1)) } catch { break }
      }
      try await connection.channel.closeFuture.get()
    }
  }

  // MARK: Answers that nobody reads

  @Test(.enabled(if: openssl != nil, "openssl is missing"))
  func unreadAnswersOfAConnectionAreLimited() async throws {
    try await withSecureServer({ $0.unsentBytes = 150_000 }) { port in
      let connection = try await RawConnection.open(port, secured: true)
      try await connection.send(Frame.preface(window: 0) + Frame.requests(20))
      try await connection.channel.closeFuture.get()
    }
  }

  @Test(.enabled(if: openssl != nil, "openssl is missing"))
  func unreadAnswersInAllAreLimited() async throws {
    try await withSecureServer({ $0.unsentBytesInAll = 150_000 }) { port in
      let small = try await RawConnection.open(port, secured: true)
      try await small.send(Frame.preface(window: 0) + Frame.requests(1))
      let large = try await RawConnection.open(port, secured: true)
      try await large.send(Frame.preface(window: 0) + Frame.requests(20))
      try await large.channel.closeFuture.get()
      #expect(small.channel.isActive)
      try await small.channel.close()
    }
  }

  @Test(.enabled(if: openssl != nil, "openssl is missing"))
  func anAnswerThatIsNotTakenIsGivenUp() async throws {
    try await withSecureServer({ $0.drain = .milliseconds(300) }) { port in
      let connection = try await RawConnection.open(port, secured: true)
      try await connection.send(Frame.preface(window: 0) + Frame.requests(1))
      try await connection.channel.closeFuture.get()
    }
  }

  // MARK: Numbers

  @Test(arguments: [true, false]) func connectionsAreLimited(_ inAll: Bool) async throws {
    var limits = ConnectionLimits()
    if inAll { limits.connections = 2 } else { limits.connectionsPerAddress = 2 }
    let fixed = limits
    try await withServer({ $0.limits = fixed }) { client in
      let first = try await RawConnection.open(client.port)
      let second = try await RawConnection.open(client.port)
      for connection in [first, second] {
        try await connection.send(Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        try await connection.received.get()
      }
      let third = try await RawConnection.open(client.port)
      try await third.channel.closeFuture.get()
      #expect(first.channel.isActive && second.channel.isActive)
      try await first.channel.close()
      // The server learns of it soon.
      var status: Int?
      while status == nil { status = await client.get("/health")?.status }
      #expect(status == 200)
      try await second.channel.close()
    }
  }

  @Test func eachKeyHasARate() async throws {
    try await withServer({
      $0.keys = ["first", "second"]
      $0.rate = RequestRate(perSecond: 1)
    }) { client in
      var statuses: [Int?] = []
      for _ in 0..<11 {
        statuses.append(await client.get("/airports/v1/cycles", [WireHeader.apiKey: "first"])?.status)
      }
      #expect(statuses == Array(repeating: 200, count: 10) + [429])
      let refused = try #require(await client.get("/airports/v1/cycles", [WireHeader.apiKey: "first"]))
      #expect(refused.errorCode == "TOO_MANY_REQUESTS" && refused.fields["retry-after"] == "1")
      #expect(await client.get("/airports/v1/cycles", [WireHeader.apiKey: "second"])?.status == 200)
      #expect(await client.get("/v2.5/first/1,2/realtime.json")?.status == 429)
      #expect(await client.get("/airports/v1/cycles", [WireHeader.apiKey: "third"])?.status == 401)
    }
  }

  @Test(arguments: [false, true]) func anAddressWithoutAKeyHasARate(withFileOfKeys: Bool) async throws {
    let ring = try KeyRing.keys("one \(KeyRing.hash("first"))", path: "keys")
    try await withServer({
      if withFileOfKeys { $0.keyRing = KeyRing(ring) } else { $0.keys = ["first"] }
      $0.rate = RequestRate(perSecond: 1)
      // No time passes.
      $0.clock = { Samples.noon * 1000 }
    }) { client in
      // With an invalid key and without a key, for every route.
      var statuses: [Int?] = []
      for number in 0..<5 {
        statuses.append(await client.get("/airports/v1/cycles", [WireHeader.apiKey: "guess \(number)"])?.status)
        statuses.append(await client.get("/health")?.status)
      }
      #expect(statuses == Array(repeating: [401, 200], count: 5).flatMap { $0 })
      #expect(await client.get("/v2.5/guess/1,2/realtime.json")?.status == 429)
      let refused = try #require(await client.get("/airports/v1/cycles"))
      #expect(refused.status == 429 && refused.fields["retry-after"] == "1")
      #expect(await client.get("/airports/v1/cycles", [WireHeader.apiKey: "first"])?.status == 200)
    }
  }
}

/// A connection whose bytes a test writes itself.
private struct RawConnection {
  let channel: any Channel
  /// The first bytes that were received.
  let received: EventLoopFuture<Void>

  /// The beginning of a TLS record with a ClientHello.
  static let clientHello: [UInt8] =
    [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + Array(repeating: 7, count: 20)

  /// Connects, and completes a TLS handshake for HTTP/2 if the connection is secured.
  ///
  /// - Parameter version: The highest version of TLS that is offered; nil for any.
  static func open(
    _ port: Int, secured: Bool = false, upTo version: TLSVersion? = nil
  ) async throws -> RawConnection {
    let group = MultiThreadedEventLoopGroup.singleton
    let loop = group.next()
    let (ready, received) = (loop.makePromise(of: Void.self), loop.makePromise(of: Void.self))
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = .none
    configuration.applicationProtocols = ["h2"]
    configuration.maximumTLSVersion = version
    let context = try NIOSSLContext(configuration: configuration)
    let channel = try await ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if secured {
            try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
          }
          try channel.pipeline.syncOperations.addHandler(Sink(ready: ready, received: received))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    if secured { try await ready.futureResult.get() } else { ready.succeed() }
    return RawConnection(channel: channel, received: received.futureResult)
  }

  func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

  /// Takes what comes, and answers nothing.
  private final class Sink: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let ready: EventLoopPromise<Void>
    private let received: EventLoopPromise<Void>

    init(ready: EventLoopPromise<Void>, received: EventLoopPromise<Void>) {
      (self.ready, self.received) = (ready, received)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if let event = event as? TLSUserEvent, case .handshakeCompleted = event { ready.succeed() }
      context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received.succeed() }

    func channelInactive(context: ChannelHandlerContext) {
      ready.fail(ChannelError.eof)
      received.fail(ChannelError.eof)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

/// Frames of HTTP/2 (RFC 9113).
private enum Frame {
  static let preface = preface(window: 65_535)

  /// The preface of a client, with its settings.
  ///
  /// - Parameter window: The bytes that the server may send on each stream.
  static func preface(window: UInt32) -> [UInt8] {
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, flags: 0, stream: 0, [0, 4] + bytes(window))
  }

  static func windowUpdate(_ increment: UInt32) -> [UInt8] { frame(8, flags: 0, stream: 0, bytes(increment)) }

  /// Requests for the OpenAPI document, which needs no key.
  static func requests(_ count: Int) -> [UInt8] {
    let path = Array("/openapi.yaml".utf8)
    // GET, https, and the path and the authority as literals (RFC 7541, appendix A).
    let head: [UInt8] = [0x82, 0x87, 0x04, UInt8(path.count)] + path + [0x01, 1, UInt8(ascii: "a")]
    return (0..<count).flatMap { frame(1, flags: 5, stream: UInt32(2 * $0 + 1), head) }
  }

  private static func frame(_ type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    Array(bytes(UInt32(payload.count)).dropFirst()) + [type, flags] + bytes(stream) + payload
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }
  }
}
