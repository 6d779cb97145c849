import ContrailCompression
import ContrailTestSupport
import ContrailWeather
import Foundation
import Testing

@Suite struct HTTPWeatherTransportTests {
  private func request(_ server: ScriptedServer, timeoutSeconds: Int = 3600) -> WeatherRequest {
    request(server.address, timeoutSeconds: timeoutSeconds)
  }

  private func request(_ server: String, timeoutSeconds: Int = 3600) -> WeatherRequest {
    var endpoint = WeatherEndpoint(token: Fixture.token, coordinate: Fixture.place)
    endpoint.service = URL(string: server) ?? endpoint.service
    return WeatherRequest(endpoint: endpoint, transport: HTTPWeatherTransport(timeoutSeconds: timeoutSeconds))
  }

  private func failure(_ request: WeatherRequest) async throws -> WeatherError {
    let error = try #require(await #expect(throws: WeatherError.self) { try await request.fetchData(from: .remote) })
    #expect(!"\(error)".contains(Fixture.token) && !"\(error)".contains(Fixture.encodedToken))
    return error
  }

  @Test func anAnswerIsUnpacked() async throws {
    let body = Array(#"{"status":"ok"}"#.utf8)
    let packed = try #require(Gzip.packed(body))
    let server = try ScriptedServer(.answer(200, ["Content-Encoding": "gzip"], packed))
    #expect(try await request(server).fetchData(from: .remote) == Data(body))
    let asked = try #require(server.requests.first)
    #expect(asked.target.hasPrefix("/v2.5/\(Fixture.encodedToken)/"))
  }

  @Test(arguments: [301, 302, 307, 308])
  func aRedirectIsAnErrorAndTheTokenReachesNoOtherHost(_ status: Int) async throws {
    let other = try ScriptedServer(.answer(200, [:], Array(#"{"status":"ok"}"#.utf8)))
    let location = other.address
    let server = try ScriptedServer { [.answer(status, ["Location": location + $0.target])] }
    let error = try await failure(request(server))
    #expect(error.code == .httpStatus)
    #expect(error.status == status)
    #expect(error.reason.contains("redirect"))
    #expect(other.requests.isEmpty)
  }

  @Test func aSmallBodyThatUnpacksToMoreThanTheLimitIsRefused() async throws {
    let bomb = try #require(Gzip.packed([UInt8](repeating: 0x20, count: 64 << 20), level: 1))
    let server = try ScriptedServer(.answer(200, ["Content-Encoding": "gzip"], bomb))
    let error = try await failure(request(server))
    #expect(error.code == .malformed)
    #expect(error.reason.contains("\(8 << 20)"))
  }

  @Test func anEndlessAnswerIsCutOff() async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\n\r\n"), .flood(Array(repeating: 0x20, count: 1 << 16)))
    #expect(try await failure(request(server)).code == .malformed)
  }

  @Test func anAnswerThatDripsEndsAtTheTotalDeadline() async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 200 OK\r\n\r\n"), .drip(Array(repeating: 0x20, count: 100_000)))
    let error = try await failure(request(server, timeoutSeconds: 1))
    #expect(error.code == .unreachable)
    #expect(error.isTransient)
  }

  @Test func aStatusThatHTTPDoesNotHaveIsAnError() async throws {
    let server = try ScriptedServer(.text("HTTP/1.1 000 -\r\nContent-Length: 0\r\n\r\n"))
    #expect(try await failure(request(server)).code == .malformed)
  }

  @Test func aRefusedConnectionIsTold() async throws {
    let error = try await failure(request(ScriptedServer.refusingAddress()))
    #expect(error.code == .unreachable)
    #expect(error.reason.contains("refused"))
  }
}
