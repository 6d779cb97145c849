#if AsyncHTTPClient && os(Linux)
  import Foundation
  import NIOCore
  import NIOPosix

  /// Passes connections on to a server of this machine, and counts the bytes in both directions.
  final class CountingRelay: @unchecked Sendable {
    private let lock = NSLock()
    /// Guarded by `lock`.
    private var byteCount = 0
    private var connectionCount = 0
    private var listener: (any Channel)?
    /// The connections up to this number pass on nothing more, as after a handover that nobody was told of.
    private var lastSilent = 0

    /// The bytes in both directions until now.
    var bytes: Int { lock.withLock { byteCount } }
    /// The connections until now.
    var connections: Int { lock.withLock { connectionCount } }
    /// The port to connect to.
    var port: Int { lock.withLock { listener?.localAddress?.port ?? 0 } }

    /// Keeps the connections that are open now, and drops what is sent over them.
    func forgetConnections() {
      lock.withLock { lastSilent = connectionCount }
    }

    static func start(to port: Int) async throws -> CountingRelay {
      let relay = CountingRelay()
      let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { near in
          let number = relay.lock.withLock {
            relay.connectionCount += 1
            return relay.connectionCount
          }
          return ClientBootstrap(group: near.eventLoop)
            .channelInitializer { far in far.pipeline.addHandler(Pass(to: near, relay, number)) }
            .connect(host: "127.0.0.1", port: port)
            .flatMap { far in near.pipeline.addHandler(Pass(to: far, relay, number)) }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      relay.lock.withLock { relay.listener = listener }
      return relay
    }

    func stop() async {
      try? await lock.withLock { listener }?.close()
    }

    private final class Pass: ChannelInboundHandler, Sendable {
      typealias InboundIn = ByteBuffer

      private let partner: any Channel
      private let relay: CountingRelay
      private let number: Int

      init(to partner: any Channel, _ relay: CountingRelay, _ number: Int) {
        self.partner = partner
        self.relay = relay
        self.number = number
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let isSilent = relay.lock.withLock {
          relay.byteCount += bytes.readableBytes
          return number <= relay.lastSilent
        }
        if !isSilent { partner.writeAndFlush(bytes, promise: nil) }
      }

      func channelInactive(context: ChannelHandlerContext) {
        partner.close(promise: nil)
        context.fireChannelInactive()
      }
    }
  }
#endif
