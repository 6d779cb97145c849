import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

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

/// Tells a client that waits with its body (`Expect: 100-continue`) to send it (RFC 9110, 10.1.1).
///
/// Otherwise clients such as curl wait for a second. A request behind another one on its connection gets no interim answer, because that
/// would stand before the answer to the other one.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The number of requests whose answers aren't complete.
  private var pendingRequests = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      pendingRequests += 1
      if pendingRequests == 1, head.headerFields[.expect]?.lowercased() == "100-continue" {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { pendingRequests -= 1 }
    context.write(data, promise: promise)
  }
}

/// Spells the option that closes a connection as the HTTP library compares it: the whole field, in small letters. The option can be one
/// of several, in any case (RFC 9110, 7.6.1).
final class CloseOptionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), let options = head.headerFields[.connection],
      options.split(separator: ",").contains(where: { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" })
    else {
      context.fireChannelRead(data)
      return
    }
    head.headerFields[.connection] = "close"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

/// Cuts the heads of compact answers in HTTP/2 to what is needed: without `Content-Length`, because a frame ends the answer.
final class LeanHeadHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Whether the channel is a stream of HTTP/2.
  private var isStream = false

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let codec = try? pipeline.handler(type: HTTP2FramePayloadToHTTPServerCodec.self) else { return }
    isStream = true
    // Without it, answers are complete too.
    try? pipeline.addHandler(FrameMerger(), position: .before(codec))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isStream, case .head(var head) = unwrapOutboundIn(data), head.status == .ok,
      head.headerFields[.contentType] == nil
    else {
      return context.write(data, promise: promise)
    }
    head.headerFields[.contentLength] = nil
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}

/// Ends a stream of HTTP/2 with its last frame instead of an empty one.
///
/// A client then also needs no WINDOW_UPDATE for the stream, because it knows with the data that no more follows.
final class FrameMerger: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private var held: (frame: HTTP2Frame.FramePayload, promise: EventLoopPromise<Void>?)?

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let frame = unwrapOutboundIn(data)
    if let (last, waiting) = held, case .data(let end) = frame, end.endStream, end.data.readableBytes == 0 {
      held = nil
      if let promise, let waiting {
        promise.futureResult.cascade(to: waiting)
      }
      context.write(wrapOutboundOut(Self.ended(last)), promise: promise ?? waiting)
      return
    }
    passOn(context)
    switch frame {
    case .data(let data) where !data.endStream: held = (frame, promise)
    case .headers(let headers) where !headers.endStream: held = (frame, promise)
    default: context.write(wrapOutboundOut(frame), promise: promise)
    }
  }

  func flush(context: ChannelHandlerContext) {
    passOn(context)
    context.flush()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    passOn(context)
    context.close(mode: mode, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    held?.promise?.fail(ChannelError.ioOnClosedChannel)
    held = nil
  }

  private func passOn(_ context: ChannelHandlerContext) {
    guard let (frame, promise) = held else { return }
    held = nil
    context.write(wrapOutboundOut(frame), promise: promise)
  }

  /// Returns a frame that ends its stream.
  private static func ended(_ frame: HTTP2Frame.FramePayload) -> HTTP2Frame.FramePayload {
    switch frame {
    case .data(var data):
      data.endStream = true
      return .data(data)
    case .headers(var headers):
      headers.endStream = true
      return .headers(headers)
    default: return frame
    }
  }
}
