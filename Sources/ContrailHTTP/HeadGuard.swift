#if canImport(AsyncHTTPClient)
  import NIOCore
  import NIOHTTP1

  /// Stands between the HTTP decoder and async-http-client, and lets no head through that the client traps on.
  ///
  /// The client takes every status below 200 for an interim answer that ends without an end, and stops the process when
  /// the end comes all the same: so it does for the statuses 000 to 099. A switch of protocols is never asked for.
  final class HeadGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// Why a head isn't let through.
    struct Refusal: Error {
      var reason: String
    }

    private static let maximumInterimHeads = 8

    private var interimHeadCount = 0
    private var hasRefused = false

    /// Adds a guard to a new connection.
    ///
    /// If the decoder isn't where it is expected, the connection fails: without the guard none is used.
    @Sendable static func install(on channel: any Channel) -> EventLoopFuture<Void> {
      channel.eventLoop.submit {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(HeadGuard(), position: .after(decoder))
      }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasRefused else { return }
      if case .head(let head) = unwrapInboundIn(data), let refusal = refusal(of: head.status.code) {
        hasRefused = true
        context.fireErrorCaught(refusal)
        context.close(promise: nil)
        return
      }
      context.fireChannelRead(data)
    }

    private func refusal(of status: UInt) -> Refusal? {
      switch status {
      case 200...599:
        interimHeadCount = 0
        return nil
      case 100, 102...199:
        interimHeadCount += 1
        guard interimHeadCount > Self.maximumInterimHeads else { return nil }
        return Refusal(reason: "more than \(Self.maximumInterimHeads) interim answers")
      default: return Refusal(reason: "the status is \(status)")
      }
    }
  }
#endif
