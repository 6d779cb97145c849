#if AsyncHTTPClient && os(Linux)
  import ContrailWire
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2

  /// A channel handler between the HTTP decoder and async-http-client that rejects heads on which the client traps
  /// or that are too long.
  ///
  /// The client treats every status below 200 as an interim response without an end, and stops the process if the end
  /// arrives, as for the statuses 000 to 099. Protocol upgrades (101) are rejected because they are never requested.
  final class HeadGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private static let maximumInterimHeads = 8
    private static let maximumHeadBytes = 64 << 10

    private var interimHeadCount = 0
    private var hasRefused = false
    /// The bytes that arrived since the last part of a response was decoded.
    private var pendingBytes = 0

    // If the decoder isn't found in the pipeline, the connection or the stream fails, so none is used without a guard.

    /// Adds a guard to a new connection of HTTP/1.1.
    static func install(onConnection channel: any NIOCore.Channel) throws {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      let guardian = HeadGuard()
      try pipeline.addHandler(guardian, position: .after(decoder))
      try pipeline.addHandler(Meter(guardian), position: .before(decoder))
    }

    /// Adds guards to a new stream of HTTP/2. NIO limits the size of its heads.
    static func install(onStream channel: any NIOCore.Channel) throws {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
      try pipeline.addHandler(HeadGuard(), position: .after(decoder))
      try pipeline.addHandler(StatusGuard(), position: .before(decoder))
    }

    /// A handler before the decoder of HTTP/2, which stops the process if a status is empty or negative.
    private final class StatusGuard: ChannelInboundHandler {
      typealias InboundIn = HTTP2Frame.FramePayload

      private var hasRefused = false

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        // Trailers have no status. NIO refuses a response without one.
        if case .headers(let block) = unwrapInboundIn(data),
          let status = block.headers.first(where: { $0.name == ":status" })?.value, !Self.isValid(status)
        {
          hasRefused = true
          context.fireErrorCaught(TransportError(.malformed, "the status isn't a number of three digits"))
          context.close(promise: nil)
          return
        }
        context.fireChannelRead(data)
      }

      private static func isValid(_ status: String) -> Bool {
        status.utf8.count == 3 && status.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      pendingBytes = 0
      guard !hasRefused else { return }
      if case .head(let head) = unwrapInboundIn(data), let refusal = refusal(of: head.status.code) {
        hasRefused = true
        context.fireErrorCaught(refusal)
        context.close(promise: nil)
        return
      }
      context.fireChannelRead(data)
    }

    /// A handler before the decoder that limits the bytes of heads, chunk sizes and trailers, for which the decoder has no limit.
    private final class Meter: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer

      private let guardian: HeadGuard

      init(_ guardian: HeadGuard) {
        self.guardian = guardian
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guardian.pendingBytes += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        guard guardian.pendingBytes > HeadGuard.maximumHeadBytes, !guardian.hasRefused else { return }
        guardian.hasRefused = true
        context.fireErrorCaught(TransportError(.malformed, "a head has more than \(HeadGuard.maximumHeadBytes) bytes"))
        context.close(promise: nil)
      }
    }

    private func refusal(of status: UInt) -> TransportError? {
      switch status {
      case 200...599:
        interimHeadCount = 0
        return nil
      case 100, 102...199:
        interimHeadCount += 1
        guard interimHeadCount > Self.maximumInterimHeads else { return nil }
        return TransportError(.malformed, "more than \(Self.maximumInterimHeads) interim responses")
      default: return TransportError(.malformed, "the status is \(status)")
      }
    }
  }
#endif
