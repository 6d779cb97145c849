#if AsyncHTTPClient && os(Linux)
  import ContrailHTTP
  import NIOCore
  import NIOEmbedded
  import Testing

  @Suite struct ConnectionWatchTests {
    @Test func aConnectionWithAnErrorIsClosed() throws {
      struct Fault: Error {}
      let channel = EmbeddedChannel()
      try channel.connect(to: SocketAddress(unixDomainSocketPath: "/server")).wait()
      try ConnectionWatch.install(on: channel, silence: .seconds(10))
      #expect(channel.isActive)
      channel.pipeline.fireErrorCaught(Fault())
      #expect(!channel.isActive)
    }
  }
#endif
