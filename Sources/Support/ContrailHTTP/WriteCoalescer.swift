#if AsyncHTTPClient || Programs
  package import NIOCore

  /// A channel handler that joins all writes of one turn of the event loop into one buffer.
  ///
  /// HTTP/2 writes the head, the payload and the end of each frame apart, and TLS makes a record of each write: 22 bytes more. After
  /// this handler, a request or an answer is one record.
  package final class WriteCoalescer: ChannelOutboundHandler, RemovableChannelHandler {
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The largest content of a TLS record, in bytes. A larger buffer is passed on without a copy.
    private static let recordBytes = 16_384

    private var buffer: ByteBuffer?
    private var promises: [EventLoopPromise<Void>] = []
    /// Whether a flush is due at the end of the turn.
    private var isFlushDue = false

    package init() {}

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      var written = unwrapOutboundIn(data)
      if (buffer?.readableBytes ?? 0) + written.readableBytes > Self.recordBytes { passOn(context) }
      if written.readableBytes >= Self.recordBytes {
        context.write(wrapOutboundOut(written), promise: promise)
        return
      }
      if let promise { promises.append(promise) }
      if buffer == nil { buffer = written } else { buffer?.writeBuffer(&written) }
    }

    package func flush(context: ChannelHandlerContext) {
      guard !isFlushDue else { return }
      isFlushDue = true
      let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
      context.eventLoop.execute {
        let (handler, context) = bound.value
        handler.flushIfDue(context)
      }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      flushIfDue(context)
      context.close(mode: mode, promise: promise)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
      // The channel is closed. Writes that weren't flushed fail.
      isFlushDue = false
      buffer = nil
      let unsent = promises
      promises = []
      for promise in unsent { promise.fail(ChannelError.ioOnClosedChannel) }
    }

    private func flushIfDue(_ context: ChannelHandlerContext) {
      guard isFlushDue else { return }
      isFlushDue = false
      passOn(context)
      context.flush()
    }

    private func passOn(_ context: ChannelHandlerContext) {
      guard let whole = buffer else { return }
      let waiting = promises
      (buffer, promises) = (nil, [])
      let rest = waiting.dropFirst()
      if !rest.isEmpty {
        waiting[0].futureResult.whenComplete { result in
          for promise in rest { promise.completeWith(result) }
        }
      }
      context.write(wrapOutboundOut(whole), promise: waiting.first)
    }
  }
#endif
