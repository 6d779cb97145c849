#if AsyncHTTPClient && os(Linux)
  package import NIOCore
  import NIOHTTP1
  import NIOHTTP2

  /// A channel handler that closes a connection of HTTP/2 on which nothing arrives any more, or after an error.
  ///
  /// A router that forgets a connection, or a handover between satellites, leaves it open and silent. The client resets the
  /// streams of requests that time out and keeps the connection for the next ones, which time out as well. A connection that
  /// carried nothing to us for a while, when a request on it is given up, is therefore closed, and the next request makes another.
  package final class ConnectionWatch: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private let silence: TimeAmount
    /// When bytes arrived last.
    private var lastRead = NIODeadline.now()

    init(silence: TimeAmount) {
      self.silence = silence
    }

    /// Adds a watch to a new connection: one handler at the socket and one behind all others.
    ///
    /// Must be called on the connection's event loop.
    package static func install(on channel: any NIOCore.Channel, silence: TimeAmount) throws {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(ConnectionWatch(silence: silence), position: .first)
      try pipeline.addHandler(ErrorCloser(), position: .last)
    }

    /// Adds to a new stream the handler that reports whether its request was answered.
    ///
    /// Must be called on the stream's event loop, which is that of its connection.
    static func install(onStream channel: any NIOCore.Channel) throws {
      guard let watch = try channel.parent?.pipeline.syncOperations.handler(type: ConnectionWatch.self) else { return }
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
      try pipeline.addHandler(StreamWatch(watch), position: .after(decoder))
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      lastRead = .now()
      context.fireChannelRead(data)
    }

    /// Closes the connection if nothing arrived for a while.
    ///
    /// - Parameters:
    ///   - start: When the request was sent. An idle connection is silent, so earlier silence doesn't count.
    ///   - wait: The time for which the server may hold the request in silence.
    private func giveUp(_ channel: any NIOCore.Channel, since start: NIODeadline, wait: TimeAmount) {
      if NIODeadline.now() - max(lastRead, start) >= silence + wait { channel.close(promise: nil) }
    }

    /// Tells the watch of the connection that a stream ended without an answer.
    private final class StreamWatch: ChannelDuplexHandler {
      typealias InboundIn = HTTPClientResponsePart
      typealias OutboundIn = HTTPClientRequestPart

      private let watch: ConnectionWatch
      private let start = NIODeadline.now()
      private var isAnswered = false
      private var wait = TimeAmount.zero

      init(_ watch: ConnectionWatch) {
        self.watch = watch
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { isAnswered = true }
        context.fireChannelRead(data)
      }

      func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data), let preference = head.headers.first(name: "Prefer"),
          let seconds = Int64(preference.drop { $0 != "=" }.dropFirst().prefix { $0.isNumber })
        {
          // `wait=50` of RFC 7240.
          wait = .seconds(min(seconds, 3600))
        }
        context.write(data, promise: promise)
      }

      func channelInactive(context: ChannelHandlerContext) {
        if !isAnswered, let connection = context.channel.parent { watch.giveUp(connection, since: start, wait: wait) }
        context.fireChannelInactive()
      }
    }

    /// Closes a connection after an error, which the client only reports to its requests.
    private final class ErrorCloser: ChannelInboundHandler {
      typealias InboundIn = Any

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
      }
    }
  }
#endif
