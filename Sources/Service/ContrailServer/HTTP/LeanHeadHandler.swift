import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Cuts the heads of compact answers to what is needed: `Date` always, because the answer contains the time, and `Content-Length`
/// in HTTP/2, where a frame ends the answer.
///
/// With a request each minute, `Date` is never in the table of HPACK and costs as many bytes as an answer without news.
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
    guard case .head(var head) = unwrapOutboundIn(data), head.status == .ok, head.headerFields[.contentType] == nil
    else {
      return context.write(data, promise: promise)
    }
    head.headerFields[.date] = nil
    if isStream { head.headerFields[.contentLength] = nil }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
