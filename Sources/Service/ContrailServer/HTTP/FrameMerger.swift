import NIOCore
import NIOHTTP2

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
