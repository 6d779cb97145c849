import ContrailHTTP
import ContrailTestSupport
import Foundation
import Testing

/// Settings of connections, and those that are invalid.
@Suite struct ConnectionTests {
  // MARK: Settings

  @Test(arguments: [
    "sha256/", "sha256/AAAA", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "sha256/ÄAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ])
  func anInvalidPinIsNamed(_ pin: String) {
    var connection = Connection()
    connection.pins = [pin]
    #if AsyncHTTPClient && os(Linux)
      let error = #expect(throws: ServerURLError.self) {
        try PlatformTransport.make(server: "https://localhost", connection: connection)
      }
      #expect(error?.code == .pin(pin) && error?.message.contains("'\(pin)'") == true)
    #endif
  }

  @Test func pinsAndCertificatesOfClientsNeedTLS() {
    var pinned = Connection()
    pinned.pins = ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
    var identified = Connection()
    identified.clientCertificate = .init(pkcs12: Data(), passphrase: "")
    for connection in [pinned, identified] {
      let error = #expect(throws: ServerURLError.self) {
        try PlatformTransport.make(server: "http://localhost", connection: connection)
      }
      #if AsyncHTTPClient && os(Linux)
        #expect(error?.code == .withoutTLS)
      #else
        #expect(error?.isOfConnection == true)
      #endif
    }
  }

  @Test(arguments: [
    ("", 80), ("proxy", 0), ("proxy", 65_536), ("user@proxy", 80), ("http://proxy", 80), ("a b", 80), ("a\u{7F}", 80),
  ])
  func anInvalidProxyIsRefused(_ host: String, _ port: Int) {
    var connection = Connection()
    connection.proxy = .init(host: host, port: port)
    let error = #expect(throws: ServerURLError.self) {
      try PlatformTransport.make(server: "https://localhost", connection: connection)
    }
    #expect(error?.code == .proxy)
  }

  @Test(arguments: [
    ("", ""), ("X Key", ""), ("X-Key:", ""), ("X-Key", "a\r\nb: "), ("X-Key", "\u{7F}"), ("X-Key", "\u{1F}"),
  ])
  func anInvalidFieldIsRefused(_ name: String, _ prefix: String) {
    var connection = Connection()
    connection.credentialField = .named(name, prefix: prefix)
    let error = #expect(throws: ServerURLError.self) {
      try PlatformTransport.make(server: "https://localhost", connection: connection)
    }
    #expect(error?.code == .field(name))
  }

  @Test func theBoundsOfProxiesAndFieldsAreValid() throws {
    #if AsyncHTTPClient && os(Linux)
      var connection = Connection()
      connection.credentialField = .named("X-Key", prefix: " ~")
      for port in [1, 65_535] {
        connection.proxy = .init(host: "!~", port: port)
        _ = try PlatformTransport.make(server: "https://localhost", connection: connection)
      }
    #endif
  }

  @Test(arguments: ["http://host/a\u{7F}", "http://host/a b", "http://host/\u{E9}"]) func aServersURLIsVisibleASCII(
    _ server: String
  ) {
    let error = #expect(throws: ServerURLError.self) { try PlatformTransport.make(server: server) }
    #expect(error?.code == .host)
  }

  @Test func aConnectionSaysWhatItHas() {
    var connection = Connection()
    #expect("\(connection)" == "Connection()")
    connection.pins = ["a", "b"]
    connection.trustedCertificates = URL(filePath: "/a")
    #expect("\(connection)" == "Connection(trusted certificates, 2 pins)")
    connection = Connection()
    connection.credentials = { _ in Connection.Credential("a") }
    connection.clientCertificate = .init(pkcs12: Data(), passphrase: "")
    connection.proxy = .init(host: "host", port: 80)
    #expect("\(connection)" == "Connection(credentials, client certificate, proxy)")
    let proxies = [connection.proxy, .init(host: "host", port: 80, user: "a", password: "b")]
    #expect(proxies.compactMap { $0?.description } == ["Proxy(host:80, user none)", "Proxy(host:80, user set)"])
  }

  @Test func noTextOfAConnectionHasASecret() {
    var connection = Connection()
    connection.clientCertificate = .init(pkcs12: Data("secret".utf8), passphrase: "secret")
    connection.proxy = .init(host: "proxy", port: 80, user: "secret", password: "secret")
    let credential = Connection.Credential("secret", expiresAt: .now)
    var texts = ["\(connection)", String(reflecting: connection), "\(credential)", String(reflecting: credential)]
    var dumped = ""
    dump(connection, to: &dumped)
    dump(credential, to: &dumped)
    texts.append(dumped)
    #expect(texts.filter { $0.contains("secret") } == [])
  }

  #if canImport(FoundationNetworking)
    @Test func whatURLSessionLacksHereIsRefused() {
      var pinned = Connection()
      pinned.pins = ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
      var identified = Connection()
      identified.clientCertificate = .init(pkcs12: Data(), passphrase: "")
      var proxied = Connection()
      proxied.proxy = .init(host: "proxy", port: 80)
      for connection in [pinned, identified, proxied, Connection(trusting: "/certificate.pem")] {
        let error = #expect(throws: ServerURLError.self) {
          try URLSessionTransport(server: "https://localhost", connection: connection)
        }
        #expect(error?.isOfConnection == true && error?.message.contains("AsyncHTTPClient") == true)
      }
    }
  #endif
}
