import ContrailCompression
import ContrailHTTP
import ContrailWire
import Testing

/// Where a request may be redirected, and how large a body may become.
@Suite struct RedirectTests {
  @Test(arguments: [
    ("/b?c=d%20e", nil, "/b?c=d%20e"), ("/", nil, "/"), ("?a=1", nil, "/?a=1"),
    ("https://other.example/a/b?c=d", "https://other.example", "/a/b?c=d"),
    ("HTTPS://other.example:8443", "https://other.example:8443", "/"),
    ("https://[::1]:80/a", "https://[::1]:80", "/a"),
  ])
  func aRedirectHasAServerAndATarget(_ location: String, _ server: String?, _ target: String) throws {
    for isSecure in [true, false] {
      let redirect = try #require(Redirect(location, isSecure: isSecure))
      #expect(redirect.server == server)
      #expect(redirect.target == target)
    }
  }

  @Test func aRequestWithoutTLSMayStayWithoutIt() throws {
    let redirect = try #require(Redirect("http://other.example/a", isSecure: false))
    #expect(redirect.server == "http://other.example")
    #expect(Redirect("http://other.example/a", isSecure: true) == nil)
  }

  @Test(arguments: [
    nil, "", "a/b", "https:///a", "https://", "ftp://other.example/a", "//other.example/a", "mailto:a@b",
    "https://user@other.example/a", "https://user:secret@other.example/a", "https://:secret@other.example/a",
    "http://[",
  ])
  func anInvalidPlaceIsNotFollowed(_ location: String?) {
    for isSecure in [true, false] { #expect(Redirect(location, isSecure: isSecure) == nil) }
  }

  // MARK: Compressed bodies

  private func unpacked(_ coding: String?, _ body: [UInt8], limit: Int) -> Result<[UInt8], TransportError> {
    let headers = coding.map { [(name: "content-encoding", value: $0)] } ?? []
    do throws(TransportError) {
      return .success(try TransportAnswer(status: 200, headers: headers, body: body).unpackedBody(limit: limit))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [nil, "", "identity", "Identity", "gzip", "X-GZIP"]) func aBodyMayBeAsLargeAsTheLimit(
    _ coding: String?
  ) throws {
    let body = [UInt8](repeating: 7, count: 1000)
    let isPacked = coding?.lowercased().hasSuffix("gzip") == true
    let sent = isPacked ? try #require(Gzip.packed(body, level: 6)) : body
    #expect(try unpacked(coding, sent, limit: 1000).get() == body)
    let error = #expect(throws: TransportError.self) { try unpacked(coding, sent, limit: 999).get() }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains(" 999") == true)
  }

  @Test(arguments: [("gzip", "can't be decompressed"), ("br", "an unsupported Content-Encoding")])
  func aBodyThatIsNotWhatItsFieldSaysIsMalformed(_ coding: String, _ reason: String) {
    let error = #expect(throws: TransportError.self) { try unpacked(coding, [1, 2, 3], limit: 1000).get() }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains(reason) == true)
  }
}
