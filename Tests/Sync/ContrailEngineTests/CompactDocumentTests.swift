import Contrail
import ContrailCore
import ContrailEngine
import ContrailH3
import ContrailHTTP
import ContrailTestSupport
import ContrailWire
import Testing

/// Turbulence areas in the compact form.
@Suite struct CompactDocumentTests {
  private static func polygons() throws -> PolygonsAnswer {
    let cell = try #require(H3Cell(rawValue: 0x83_2834_FFFF_FFFF_F))
    let area = PolygonsAnswer.Area(severity: .moderate, base: 30, top: 37, count: 4, cells: [cell])
    return PolygonsAnswer(token: 1_740_000_000, areas: PolygonsAnswer.outlined([area]))
  }

  private static func request(acceptsCompact: Bool = true) -> OutgoingRequest {
    OutgoingRequest(
      number: 4, scope: .global(.twoHours), mode: .full, method: .get,
      target: PolygonsRequest(history: .twoHours).target, acceptsCompact: acceptsCompact)
  }

  private struct NoTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
      throw TransportError(.network, "there is none")
    }
  }

  private let sender = RequestSender(transport: NoTransport())

  private func answer(_ body: [UInt8], acceptsCompact: Bool = true) throws -> Input.Response {
    let result = sender.result(
      of: TransportAnswer(status: 200, headers: [("ETag", "\"7-compact\"")], body: body),
      to: Self.request(acceptsCompact: acceptsCompact), with: Credentials())
    guard case .answered(let response) = result else { throw TransportError(.network, "\(result)") }
    return response
  }

  @Test func theLogGetsTheDocumentAndTheSizeOnTheWire() throws {
    let polygons = try Self.polygons()
    let answer = try answer(polygons.compact)
    #expect(answer.body.bytes == polygons.json && answer.form == .compact)
    #expect(answer.etag == "\"7-compact\"")
    #expect(answer.wireBytes < Int64(polygons.json.count))
    #expect(try self.answer(polygons.json).form == nil)
  }

  @Test func whatCannotBeReadIsLoggedAsItCame() throws {
    let bytes = Array(try Self.polygons().compact.dropLast())
    let answer = try answer(bytes)
    #expect(answer.body.bytes == bytes && answer.form == .compact)
    #expect(try self.answer(bytes, acceptsCompact: false).form == nil)
  }

  @Test func theRequestSaysWhatItTakes() {
    func accept(_ acceptsCompact: Bool) -> String? {
      sender.packed(Self.request(acceptsCompact: acceptsCompact), with: Credentials()).headers
        .first { $0.name == "Accept" }?.value
    }
    #expect(accept(true) == "application/vnd.contrail, application/json")
    #expect(accept(false) == "application/json")
  }
}
