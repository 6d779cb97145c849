import NIOCore

/// Notices that a client closed its side of the connection, also while no request is read.
final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private var promise: EventLoopPromise<Void>?

  /// A future that completes when the client closes its side.
  var hungUp: EventLoopFuture<Void>? { promise?.futureResult }

  func handlerAdded(context: ChannelHandlerContext) { promise = context.eventLoop.makePromise() }
  func handlerRemoved(context: ChannelHandlerContext) { promise?.succeed() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.fireChannelRead(data) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { promise?.succeed() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise?.succeed()
    context.fireChannelInactive()
  }
}

extension ServerContext {
  /// Waits before a response is sent.
  ///
  /// A client that gave up closes its connection, which would otherwise keep its descriptor for the whole time. If the
  /// task is cancelled because the server is stopping, the wait ends.
  ///
  /// - Returns: Whether the client closed its side of the connection.
  func wait(milliseconds: Int) async -> Bool {
    let channel = channel
    let promise = channel.eventLoop.makePromise(of: Bool.self)
    channel.eventLoop.execute {
      let timer = channel.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { promise.succeed(false) }
      let handler = try? channel.pipeline.syncOperations.handler(type: HangUpHandler.self)
      (handler?.hungUp ?? channel.closeFuture).whenComplete { _ in
        timer.cancel()
        promise.succeed(true)
      }
    }
    return await withTaskCancellationHandler {
      (try? await promise.futureResult.get()) ?? true
    } onCancel: {
      promise.succeed(false)
    }
  }
}
