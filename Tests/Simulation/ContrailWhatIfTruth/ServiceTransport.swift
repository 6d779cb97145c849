import ContrailHTTP
import ContrailWire
import ContrailWorld

/// Carries requests to a reference service in this process, which answers them at the time that their header tells.
struct ServiceTransport: Transport {
  let service: ReferenceService
  /// The host in the heads of requests.
  let host: String
  let isSecure: Bool

  func headBytes(of request: TransportRequest) -> Int { request.headBytes(host: host, path: "") }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    let answer = await service.answer(
      to: ServiceRequest(
        method: request.method, target: request.target, headers: HeaderFields(request.headers), body: request.body))
    guard answer.ending == .whole else { throw TransportError(.network, "the service closed the connection") }
    var headers = answer.headers.all
    if answer.status != 304 { headers.append(("Content-Length", "\(answer.body.count)")) }
    // As the reference server does over a socket.
    if answer.headers[WireHeader.serverTime] != nil { headers.append(("Date", "Thu, 15 Jan 2026 10:00:00 GMT")) }
    return TransportAnswer(status: answer.status, headers: headers, body: answer.body)
  }
}
