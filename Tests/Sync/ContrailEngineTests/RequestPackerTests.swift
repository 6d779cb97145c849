import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailWire
import Testing

/// What a request of the driver is for a transport.
@Suite struct RequestPackerTests {
  private static let token: Int64 = 1_740_000_060
  private static let credentials = Credentials(apiKey: "key", weatherToken: "token/1")

  private func area(_ handle: String, holds seconds: Int64? = nil) -> OutgoingRequest {
    let area = AreaRequest(handle: handle, since: Self.token, hold: seconds.map { HoldTerms(seconds: $0) })
    return OutgoingRequest(
      number: 7, scope: .corridor, mode: .delta, method: .get, target: area.target, acceptsCompact: true, area: area)
  }

  private func weather() -> OutgoingRequest {
    let place = RoundedCoordinate(longitudeE4: 80_000, latitudeE4: 500_000)
    return OutgoingRequest(
      number: 8, scope: .weather(place), mode: .full, method: .get, target: WeatherSpec().target(place))
  }

  private func query(_ bytes: Int) -> OutgoingRequest {
    OutgoingRequest(
      number: 9, scope: .viewport, mode: .full, method: .post, target: "/observations",
      body: [UInt8](repeating: 7, count: bytes))
  }

  private func value(_ packed: RequestPacker.Packed, _ name: String) -> String? {
    packed.request.headers.first { $0.name == name }?.value
  }

  // MARK: Time limits

  @Test func aHeldRequestHasTimeUntilTheShortestHoldEndsAndTheRulesGiveUp() throws {
    let packer = RequestPacker(isSecure: true)
    #expect(packer.packed(area("a"), with: Credentials()).request.timeoutSeconds == RequestPacker.timeoutSeconds)
    let held = packer.packed(area("a", holds: 50), with: Credentials())
    #expect(held.request.timeoutSeconds * 1000 > 50_000 + Int(Listening.graceMS))
    let both = try #require(packer.packed([area("a", holds: 50), area("b", holds: 9)], with: Credentials()))
    #expect(both.request.timeoutSeconds == held.request.timeoutSeconds - 41)
  }

  // MARK: What shares a request

  @Test func onlyRequestsByHandleShareOne() throws {
    let packer = RequestPacker(isSecure: false)
    #expect(packer.packed([], with: Credentials()) == nil)
    #expect(packer.packed([area("a"), query(1)], with: Credentials()) == nil)
    #expect(packer.packed([query(1), query(1)], with: Credentials()) == nil)
    let single = try #require(packer.packed([query(1)], with: Credentials()))
    #expect(single.request.target == "/observations" && single.request.method == "POST")
    let both = try #require(packer.packed([area("a"), area("b")], with: Credentials()))
    #expect(both.request.target.hasPrefix("/areas/a~b"))
  }

  // MARK: Credentials

  @Test func theKeyIsInItsFieldAndTheTokenInThePath() {
    var packer = RequestPacker(isSecure: true)
    packer.keyField = ("Authorization", "Bearer ")
    let packed = packer.packed(query(1), with: Self.credentials)
    #expect(value(packed, "Authorization") == "Bearer key" && !packed.isForWeatherService)
    #expect(value(packer.packed(query(1), with: Credentials()), "Authorization") == nil)

    // Without a service of its own, the server's key is the token of the weather.
    let own = packer.packed(weather(), with: Self.credentials)
    #expect(own.request.target.contains("/key/") && !own.isForWeatherService)
    #expect(value(own, "Authorization") == nil)
    packer.hasWeatherService = true
    let other = packer.packed(weather(), with: Self.credentials)
    #expect(other.request.target.contains("/token%2F1/") && other.isForWeatherService)
    #expect(!packer.packed(query(1), with: Self.credentials).isForWeatherService)
    for token in [nil, ""] {
      let packed = packer.packed(weather(), with: Credentials(apiKey: "key", weatherToken: token))
      #expect(packed.request.target.contains("/-/"))
    }
  }

  // MARK: Compression and bytes

  @Test func aLargeBodyIsCompressedIfTheOwnerOfTheTransportCan() {
    for (packsBodies, bytes, isPacked) in [(true, 10_000, true), (true, 1, false), (false, 10_000, false)] {
      let packed = RequestPacker(isSecure: true, packsBodies: packsBodies).packed(query(bytes), with: Credentials())
      #expect(packed.isToBeCompressed == isPacked)
      #expect(value(packed, "Content-Encoding") == (isPacked ? "gzip" : nil))
      #expect(value(packed, "Content-Type") == "application/json")
    }
    #expect(RequestPacker(isSecure: true).packed(query(10_000), with: Credentials()).isToBeCompressed)
  }

  @Test func additionalFieldsAreSentAndNotCounted() {
    var packer = RequestPacker(isSecure: true)
    packer.extraHeaders = [("X-One", "1"), ("X-Two", "2")]
    let packed = packer.packed(query(12), with: Self.credentials)
    #expect(packed.request.headers.prefix(2).map { $0.name } == ["X-One", "X-Two"])
    let sent = packer.sent(packed.request) { request in
      #expect(request.headers.map { $0.name } == packed.request.headers.dropFirst(2).map { $0.name })
      return 100
    }
    #expect(sent == SentBytes(total: 112, head: 100))
  }
}
