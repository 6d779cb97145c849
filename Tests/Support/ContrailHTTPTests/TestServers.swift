#if AsyncHTTPClient && os(Linux)
  import ContrailTestSupport
  import Foundation
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// A server over TLS that answers each request with `ok` and closes the connection.
  final class TLSServer: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by `lock`.
    private var seen: [String] = []
    private var listener: (any Channel)?

    /// The heads of the requests until now.
    var requests: [String] { lock.withLock { seen } }
    var port: Int { lock.withLock { listener?.localAddress?.port ?? 0 } }
    var address: String { "https://127.0.0.1:\(port)" }

    /// - Parameter authority: The authority of clients; nil if clients need no certificate.
    static func start(
      _ certificate: TestAuthority.Issued, clientsOf authority: TestAuthority? = nil
    ) async throws -> TLSServer {
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.certificate).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem)))
      if let authority {
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .file(authority.certificate)
      }
      let context = try NIOSSLContext(configuration: tls)
      let server = TLSServer()
      let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: context), Answer(server))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      server.lock.withLock { server.listener = listener }
      return server
    }

    func stop() async { try? await lock.withLock { listener }?.close() }

    private final class Answer: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer

      private let server: TLSServer
      private var head = ""

      init(_ server: TLSServer) {
        self.server = server
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += String(buffer: unwrapInboundIn(data))
        guard head.hasSuffix("\r\n\r\n") else { return }
        server.lock.withLock { server.seen.append(head) }
        let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in bound.value.close(promise: nil) }
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
  }

  /// An HTTP proxy that tunnels by CONNECT, with or without a password.
  final class ConnectProxy: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by `lock`.
    private var heads: [String] = []
    private var listener: (any Channel)?

    private let authorization: String?

    /// The heads of the requests for a tunnel until now.
    var requests: [String] { lock.withLock { heads } }
    var port: Int { lock.withLock { listener?.localAddress?.port ?? 0 } }

    private init(_ authorization: String?) {
      self.authorization = authorization
    }

    /// - Parameter login: The user and the password, divided by a colon; nil for a proxy that requires none.
    static func start(login: String? = nil) async throws -> ConnectProxy {
      let proxy = ConnectProxy(login.map { "Basic " + Data($0.utf8).base64EncodedString() })
      let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { near in near.pipeline.addHandler(Tunnel(proxy)) }
        .bind(host: "127.0.0.1", port: 0).get()
      proxy.lock.withLock { proxy.listener = listener }
      return proxy
    }

    func stop() async { try? await lock.withLock { listener }?.close() }

    private final class Tunnel: ChannelInboundHandler, @unchecked Sendable {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer

      private let proxy: ConnectProxy
      private var head = ""
      private var far: (any Channel)?

      init(_ proxy: ConnectProxy) {
        self.proxy = proxy
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if let far {
          far.writeAndFlush(bytes, promise: nil)
          return
        }
        head += String(buffer: bytes)
        guard head.hasSuffix("\r\n\r\n") else { return }
        proxy.lock.withLock { proxy.heads.append(head) }
        let near = context.channel
        let lines = head.split(separator: "\r\n")
        let target = lines[0].split(separator: " ").dropFirst().first?.split(separator: ":") ?? []
        let field = lines.first { $0.lowercased().hasPrefix("proxy-authorization: ") }
        guard lines[0].hasPrefix("CONNECT "), target.count == 2, let port = Int(target[1]) else {
          return refuse(near, "405 Method Not Allowed")
        }
        if let authorization = proxy.authorization, field?.dropFirst(21) != authorization[...] {
          return refuse(near, "407 Proxy Authentication Required")
        }
        let bound = NIOLoopBound(self, eventLoop: near.eventLoop)
        ClientBootstrap(group: near.eventLoop)
          .channelInitializer { far in far.pipeline.addHandler(Back(to: near)) }
          .connect(host: String(target[0]), port: port)
          .whenComplete { result in
            guard case .success(let far) = result else { return near.close(promise: nil) }
            bound.value.far = far
            near.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n"), promise: nil)
          }
      }

      private func refuse(_ near: any Channel, _ status: String) {
        near.writeAndFlush(ByteBuffer(string: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"))
          .whenComplete { _ in near.close(promise: nil) }
      }

      func channelInactive(context: ChannelHandlerContext) { far?.close(promise: nil) }
    }

    private final class Back: ChannelInboundHandler, Sendable {
      typealias InboundIn = ByteBuffer

      private let near: any Channel

      init(to near: any Channel) {
        self.near = near
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        near.writeAndFlush(unwrapInboundIn(data), promise: nil)
      }

      func channelInactive(context: ChannelHandlerContext) { near.close(promise: nil) }
    }
  }
#endif
