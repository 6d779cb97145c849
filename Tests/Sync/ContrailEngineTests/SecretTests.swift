import Contrail
import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailWire
import Testing

/// Secrets that a server echoes don't reach the log.
@Suite struct SecretTests {
  private struct Unreachable: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      throw TransportError(.network, "GET /?key=s3cr3t-key/1 failed")
    }
  }

  private static let key = "s3cr3t-key/1"
  private static let request = OutgoingRequest(
    number: 1, scope: .corridor, mode: .full, method: .post, target: "/observations")

  private func received(_ body: String, etag: String? = nil) -> Input.Response? {
    let headers: [(name: String, value: String)] = etag.map { [("ETag", $0)] } ?? []
    let result = RequestSender(transport: Unreachable()).result(
      of: TransportAnswer(status: 200, headers: headers, body: Array(body.utf8)), to: Self.request,
      with: Credentials(apiKey: Self.key, weatherToken: "t0ken-of-weather"))
    guard case .answered(let response) = result else { return nil }
    return response
  }

  @Test(arguments: ["s3cr3t-key/1", "s3cr3t-key%2F1", #"s3cr3t-key\/1"#, "t0ken-of-weather"])
  func anEchoedSecretIsOverwrittenInTheBody(spelling: String) throws {
    let response = try #require(received(#"{"a":"\#(spelling)","b":"<\#(spelling)\#(spelling)>"}"#))
    let stars = String(repeating: "*", count: spelling.utf8.count)
    #expect(String(decoding: response.body.bytes, as: UTF8.self) == #"{"a":"\#(stars)","b":"<\#(stars)\#(stars)>"}"#)
  }

  /// The state keeps the tag, and each request repeats it.
  @Test func aTagThatIsTooLongIsLeftOut() throws {
    for (count, isKept) in [(1024, true), (1025, false), (70_000, false)] {
      let tag = "\"\(String(repeating: "x", count: count - 2))\""
      #expect(try #require(received("{}", etag: tag)).etag == (isKept ? tag : nil))
    }
  }

  @Test func anEchoedSecretIsLeftOutOfTheETag() throws {
    #expect(try #require(received("{}", etag: "\"\(Self.key)\"")).etag == nil)
    #expect(try #require(received("{}", etag: "\"v1\"")).etag == "\"v1\"")
  }

  @Test func whatHoldsNoSecretStaysAsItIs() throws {
    let text = #"{"data":"s3cr3t-key, s3cr3t_key/1 and \#u{1F4A9}"}"#
    #expect(String(decoding: try #require(received(text)).body.bytes, as: UTF8.self) == text)
  }

  @Test func aMessageOfTheTransportHoldsNoSecret() async {
    let result = await RequestSender(transport: Unreachable()).send(Self.request, with: Credentials(apiKey: Self.key))
    guard case .failed(_, let message, _) = result else {
      Issue.record("it was answered")
      return
    }
    #expect(!message.contains(Self.key) && message.contains("failed"))
  }

  @Test func credentialsSayNothingOfThemselves() {
    let credentials = Credentials(apiKey: Self.key, weatherToken: Self.key)
    var dump = ""
    Swift.dump(credentials, to: &dump)
    #expect(!"\(credentials)\(String(reflecting: credentials))\(dump)".contains("s3cr3t"))
  }
}
