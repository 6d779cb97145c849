#if AsyncHTTPClient && os(Linux)
  import NIOCore
  import NIOEmbedded
  import NIOHPACK
  import NIOHTTP2
  import Testing

  import ContrailWire
  @testable import ContrailHTTP

  @Suite struct HeadGuardTests {
    /// NIO stops the process at the first two.
    @Test(arguments: ["", "-1", "20", "2000", " 200", "+20", "2x0", "２００"])
    func aStatusOfHTTP2WithoutThreeDigitsIsRefused(_ status: String) throws {
      let channel = EmbeddedChannel()
      try channel.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
      try channel.connect(to: SocketAddress(unixDomainSocketPath: "/server")).wait()
      try HeadGuard.install(onStream: channel)
      let head = HTTP2Frame.FramePayload.headers(.init(headers: [":status": status], endStream: true))
      #expect(throws: TransportError.self) { try channel.writeInbound(head) }
      #expect(!channel.isActive)
    }
  }
#endif
