import ContrailHTTP
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL

/// HTTP/2 and HTTP/1.1 over TLS, with one TLS record for an answer instead of one for each part of a frame.
struct SecuredChannel: ServerChildChannel {
  let upgrade: HTTP2UpgradeChannel

  func setup(channel: any NIOCore.Channel, logger: Logger) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
    upgrade.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let secured = try pipeline.handler(type: NIOSSLServerHandler.self)
      let observer = HandshakeObserver(try pipeline.handler(type: ConnectionGuard.self))
      try pipeline.addHandler(WriteCoalescer(), position: .after(secured))
      try pipeline.addHandler(observer, position: .after(secured))
      return value
    }
  }

  func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
    await upgrade.handle(value: value, logger: logger)
  }
}
