#if os(macOS) || os(Linux)
  import ContrailTestSupport
  import Foundation
  import Logging
  import NIOCore
  import NIOPosix
  import NIOSSL
  import NIOTLS
  import Testing

  @testable import ContrailServer
  @testable import ContrailWorld

  /// A certificate that is replaced while the server runs.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: TestAuthority.openssl != nil, "openssl is missing"))
  struct CertificateRenewalTests {
    private let folder: TemporaryDirectory
    private let files: ServerCertificate

    init() throws {
      folder = try TemporaryDirectory()
      files = ServerCertificate(chain: folder.file("certificate.pem"), key: folder.file("key.pem"))
    }

    private func put(_ certificate: String, _ key: String) throws {
      try TemporaryDirectory.put(try TemporaryDirectory.contents(certificate), files.chain)
      try TemporaryDirectory.put(try TemporaryDirectory.contents(key), files.key)
    }

    /// Tells whether a handshake succeeded.
    private final class HandshakeWaiter: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      private let promise: EventLoopPromise<Bool>
      init(_ promise: EventLoopPromise<Bool>) { self.promise = promise }
      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { promise.succeed(true) }
      }
      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.succeed(false)
        context.close(promise: nil)
      }
      func channelInactive(context: ChannelHandlerContext) { promise.succeed(false) }
    }

    private func isTrusted(_ port: Int, by authority: TestAuthority) async throws -> Bool {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(authority.certificate)
      let context = try NIOSSLContext(configuration: tls)
      let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Bool.self)
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: "localhost"))
            try pipeline.addHandler(HandshakeWaiter(promise))
          }
        }.connect(host: "127.0.0.1", port: port).get()
      let isTrusted = try await promise.futureResult.get()
      try? await channel.close()
      return isTrusted
    }

    @Test func aReloadReadsTheCertificateAgain() async throws {
      let (old, new) = (try TestAuthority(), try TestAuthority())
      let (first, second) = (try old.issue("first"), try new.issue("second"))
      try put(first.certificate, first.key)
      let renewal = CertificateRenewal(files)
      let reload = KeyReload(
        nil, certificate: renewal, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      try await withServer({
        $0.certificate = files
        $0.renewal = renewal
      }) { client in
        #expect(try await isTrusted(client.port, by: old))
        #expect(try await !isTrusted(client.port, by: new))
        // Another key than that of the certificate: the certificate so far remains.
        try put(second.certificate, first.key)
        await reload.reload()
        #expect(try await isTrusted(client.port, by: old))
        try put(second.certificate, second.key)
        await reload.reload()
        #expect(try await isTrusted(client.port, by: new))
        #expect(try await !isTrusted(client.port, by: old))
      }
    }

    @Test func aKeyOfAnotherCertificateIsNamed() throws {
      let authority = try TestAuthority()
      let (first, second) = (try authority.issue("first"), try authority.issue("second"))
      func reason(_ certificate: String, _ key: String) throws -> String {
        try put(certificate, key)
        do throws(ServerError) {
          try files.check()
          return ""
        } catch {
          return error.description
        }
      }
      #expect(try reason(first.certificate, first.key).isEmpty)
      #expect(try reason(first.certificate, second.key).contains("the key isn't that of the certificate"))
      #expect(try reason(first.key, first.key).contains("'\(files.chain)' has no certificate"))
      #expect(try reason(first.certificate, first.certificate).contains("'\(files.key)' has no private key"))
    }
  }
#endif
