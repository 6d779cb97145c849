#if AsyncHTTPClient && os(Linux)
  import AsyncHTTPClient
  import NIOSSL
  import Testing

  import ContrailWire
  @testable import ContrailHTTP

  @Suite struct TransportErrorTests {
    @Test func aConnectionThatIsLostOverTLSIsNoMatterOfSecurity() {
      func code(_ error: any Error) -> TransportError.Code { AsyncHTTPTransport.error(error, host: "host").code }
      #expect(code(NIOSSLError.uncleanShutdown) == .network)
      #expect(code(NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))) == .network)
      #expect(code(HTTPClientError.tlsHandshakeTimeout) == .timeout)
      #expect(code(NIOSSLError.handshakeFailed(.sslError([]))) == .security)
      #expect(code(NIOSSLError.unableToValidateCertificate) == .security)
    }
  }
#endif
