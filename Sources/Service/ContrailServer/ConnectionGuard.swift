import ContrailHTTP
import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOSSL
import NIOTLS

/// The limits of a server's connections.
package struct ConnectionLimits: Hashable, Sendable {
  /// The maximum number of connections. Further ones are closed at once.
  package var connections: Int
  /// The maximum number of connections from one address.
  package var connectionsPerAddress: Int
  /// The maximum time for a TLS handshake.
  package var handshake = Duration.seconds(10)
  /// The time after which a connection without a request is closed. It is longer than a client keeps a connection, so that the
  /// client closes it.
  package var idle = Duration.seconds(360)
  /// The maximum time during which a connection takes no byte of an answer, and for its last requests once the server closes it.
  package var drain = Duration.seconds(60)
  /// The maximum time without a byte while a request of HTTP/2 is unanswered, because it may be held.
  package var hold = Duration.seconds(3700)
  /// The maximum size of the answers of a connection that wait to be sent, in bytes. One answer may be larger.
  package var unsentBytes = 16 << 20
  /// The maximum size of the answers of all connections that wait to be sent, in bytes.
  package var unsentBytesInAll = 256 << 20

  /// Creates the default limits, which leave some of the process's file descriptors for other uses.
  package init() {
    connections = max(min(Self.descriptors - 64, 10_000), 16)
    connectionsPerAddress = max(connections / 2, 1)
  }

  /// The number of file descriptors that the process may open.
  private static var descriptors: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    return Int(min(limit.rlim_cur, 1 << 20))
  }
}

/// The connections of a server: how many there are from each address, and how many bytes wait for each.
final class ConnectionRegistry: Sendable {
  private struct Load {
    var counts: [String: Int] = [:]
    var count = 0
    var unsent: [ObjectIdentifier: (channel: any NIOCore.Channel, bytes: Int)] = [:]
    var unsentInAll = 0
  }

  let limits: ConnectionLimits
  private let open = Lock(Load())

  init(_ limits: ConnectionLimits) {
    self.limits = limits
  }

  /// Returns whether a connection may be open, and counts it until it closes.
  func admit(_ channel: any NIOCore.Channel) -> Bool {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let isAdmitted = open.withLock { open in
      let own = open.counts[address] ?? 0
      guard open.count < limits.connections, own < limits.connectionsPerAddress else { return false }
      open.count += 1
      open.counts[address] = own + 1
      return true
    }
    guard isAdmitted else { return false }
    channel.closeFuture.whenComplete { [open] _ in
      open.withLock { open in
        open.count -= 1
        open.counts[address] = open.counts[address].flatMap { $0 > 1 ? $0 - 1 : nil }
        open.unsentInAll -= open.unsent.removeValue(forKey: ObjectIdentifier(channel))?.bytes ?? 0
      }
    }
    return true
  }

  /// The number of connections, and of bytes that wait to be sent.
  var load: (count: Int, unsentBytes: Int) { open.withLock { ($0.count, $0.unsentInAll) } }

  /// Counts bytes that wait to be sent, or no longer do. If too many wait in all, closes the connection with the most.
  func add(unsent bytes: Int, for channel: any NIOCore.Channel) {
    let largest: (any NIOCore.Channel)? = open.withLock { open in
      let key = ObjectIdentifier(channel)
      let held = open.unsent[key]?.bytes ?? 0
      // A channel that closed was subtracted already.
      guard held > 0 || (bytes > 0 && channel.isActive) else { return nil }
      let own = max(held + bytes, 0)
      open.unsent[key] = own > 0 ? (channel, own) : nil
      open.unsentInAll += own - held
      guard bytes > 0, open.unsentInAll > limits.unsentBytesInAll else { return nil }
      return open.unsent.values.max { $0.bytes < $1.bytes }?.channel
    }
    largest?.close(promise: nil)
  }
}

/// Closes a connection that exceeds a limit: first in its pipeline, so that it sees all bytes.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let registry: ConnectionRegistry
  private var limits: ConnectionLimits { registry.limits }
  private let openedAt: NIODeadline
  /// The time of the last byte received, or sent of an answer.
  private var activeAt: NIODeadline
  /// The time since which the waiting bytes have made no progress.
  private var progressAt: NIODeadline
  private var isShakingHands: Bool
  private var closesAt: NIODeadline?
  private var unsentBytes = 0
  /// The part of ``unsentBytes`` that the registry knows. Small answers are sent at once, so it isn't told about them.
  private var reportedBytes = 0
  /// The number of streams of HTTP/2 that are open.
  private var streams = 0
  private var timer: Scheduled<Void>?
  private var isClosed = false

  /// - Parameter isSecured: Whether the connection begins with a TLS handshake.
  init(_ registry: ConnectionRegistry, isSecured: Bool, now: NIODeadline) {
    self.registry = registry
    isShakingHands = isSecured
    (openedAt, activeAt, progressAt) = (now, now, now)
  }

  func handlerAdded(context: ChannelHandlerContext) { schedule(context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    isClosed = true
    timer?.cancel()
    timer = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    activeAt = context.eventLoop.now
    context.fireChannelRead(data)
  }

  /// The size from which waiting answers are counted.
  private static let smallBytes = 4096

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard unsentBytes >= Self.smallBytes else { return context.write(data, promise: promise) }
    let promise = promise ?? context.eventLoop.makePromise()
    let loop = context.eventLoop
    promise.futureResult.assumeIsolated().whenSuccess { [self] in
      progressAt = loop.now
      if unsentBytes > 0 { activeAt = progressAt }
    }
    context.write(data, promise: promise)
  }

  /// A request of HTTP/2 begins.
  func didOpenStream() { streams += 1 }

  /// A request of HTTP/2 is answered, or given up.
  func didCloseStream(now: NIODeadline) {
    streams -= 1
    activeAt = now
  }

  /// The TLS handshake is complete.
  func didShakeHands() { isShakingHands = false }

  /// The server announced that it closes the connection.
  func didSayGoodbye(now: NIODeadline) { closesAt = closesAt ?? now + TimeAmount(limits.drain) }

  /// A part of an answer waits to be sent.
  ///
  /// - Parameter channel: The channel of the connection.
  /// - Returns: Whether it may wait. Otherwise the connection is closed.
  func add(unsent bytes: Int, on channel: any NIOCore.Channel) -> Bool {
    guard !isClosed else { return false }
    guard unsentBytes == 0 || unsentBytes + bytes <= limits.unsentBytes else {
      channel.close(promise: nil)
      return false
    }
    if unsentBytes == 0 { progressAt = channel.eventLoop.now }
    unsentBytes += bytes
    report(channel)
    return true
  }

  private func report(_ channel: any NIOCore.Channel) {
    let bytes = unsentBytes >= Self.smallBytes ? unsentBytes : 0
    guard bytes != reportedBytes else { return }
    registry.add(unsent: bytes - reportedBytes, for: channel)
    reportedBytes = bytes
  }

  /// A part of an answer was sent, or no longer waits.
  func remove(unsent bytes: Int, on channel: any NIOCore.Channel) {
    unsentBytes -= bytes
    guard !isClosed else { return }
    activeAt = channel.eventLoop.now
    progressAt = activeAt
    report(channel)
  }

  /// Checks the limits four times in the shortest of their times.
  private func schedule(_ context: ChannelHandlerContext) {
    let shortest = min(isShakingHands ? limits.handshake : limits.idle, limits.drain)
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(shortest / 4)) { [self] in
      guard !isClosed else { return }
      if isOverdue(at: context.eventLoop.now) { context.close(promise: nil) } else { schedule(context) }
    }
  }

  private func isOverdue(at now: NIODeadline) -> Bool {
    if isShakingHands, now - openedAt >= TimeAmount(limits.handshake) { return true }
    if unsentBytes > 0, now - progressAt >= TimeAmount(limits.drain) { return true }
    if let closesAt, now >= closesAt { return true }
    // HTTP/2 says goodbye first.
    return now - activeAt >= TimeAmount((streams > 0 ? max(limits.hold, limits.idle) : limits.idle) + limits.drain)
  }
}

/// Tells the guard of a connection when its TLS handshake is complete, and when HTTP/2 says goodbye.
final class HandshakeObserver: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let connection: ConnectionGuard

  init(_ connection: ConnectionGuard) {
    self.connection = connection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.fireChannelRead(data) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    guard case .handshakeCompleted? = event as? TLSUserEvent else { return }
    connection.didShakeHands()
    // The negotiated protocol has just been added.
    let pipeline = context.pipeline.syncOperations
    guard let http2 = try? pipeline.handler(type: NIOHTTP2Handler.self) else { return }
    try? pipeline.addHandler(GoodbyeObserver(connection), position: .after(http2))
  }
}

/// Tells the guard of a connection of HTTP/2 that GOAWAY is sent.
private final class GoodbyeObserver: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  private let connection: ConnectionGuard

  init(_ connection: ConnectionGuard) {
    self.connection = connection
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .goAway = unwrapOutboundIn(data).payload { connection.didSayGoodbye(now: context.eventLoop.now) }
    context.write(data, promise: promise)
  }
}

/// Counts the bytes of answers that wait to be sent.
final class UnsentBytesCounter: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The connection of the channel, which may be a stream, and its guard.
  private var connection: (channel: any NIOCore.Channel, guardian: ConnectionGuard)?
  /// Whether the channel is an open stream of HTTP/2.
  private var isStream = false

  func handlerAdded(context: ChannelHandlerContext) {
    if let guardian = try? context.pipeline.syncOperations.handler(type: ConnectionGuard.self) {
      connection = (context.channel, guardian)
    } else if let parent = context.channel.parent, parent.eventLoop.inEventLoop,
      let guardian = try? parent.pipeline.syncOperations.handler(type: ConnectionGuard.self)
    {
      connection = (parent, guardian)
      guardian.didOpenStream()
      isStream = true
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if isStream { connection?.guardian.didCloseStream(now: context.eventLoop.now) }
    isStream = false
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let (channel, guardian) = connection, case .body(let body) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    let bytes = body.readableBytes
    guard guardian.add(unsent: bytes, on: channel) else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    let promise = promise ?? context.eventLoop.makePromise()
    promise.futureResult.assumeIsolated().whenComplete { _ in guardian.remove(unsent: bytes, on: channel) }
    context.write(data, promise: promise)
  }
}

/// A connection within the limits: HTTP/1.1, or HTTP/2 and HTTP/1.1 over TLS.
struct GuardedChannel<Inner: ServerChildChannel>: ServerChildChannel {
  let inner: Inner
  let isSecured: Bool
  let registry: ConnectionRegistry

  func setup(channel: any NIOCore.Channel, logger: Logger) -> EventLoopFuture<Inner.Value> {
    guard registry.admit(channel) else {
      logger.debug("connection refused", metadata: ["reason": "too many connections"])
      return channel.close().flatMapThrowing { throw ChannelError.ioOnClosedChannel }
    }
    let guardian = ConnectionGuard(registry, isSecured: isSecured, now: channel.eventLoop.now)
    do {
      try channel.pipeline.syncOperations.addHandler(guardian)
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return inner.setup(channel: channel, logger: logger)
  }

  func handle(value: Inner.Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
      await inner.handle(value: value, logger: logger)
    }
  }
}
