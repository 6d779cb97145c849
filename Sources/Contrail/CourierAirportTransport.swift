import ContrailAirportData
public import ContrailAirports
public import ContrailHTTP
import ContrailWire

/// Brings files of airports over the transport that carries everything else. A file comes as one block, so a download that breaks goes
/// on where the last whole answer ended; ``/ContrailAirports/URLSessionAirportTransport`` has them block by block.
public struct CourierAirportTransport: AirportTransport {
  private let transport: any Transport
  private let headers: @Sendable () -> [(name: String, value: String)]

  /// How long a file may take, in seconds: a slow link has some 20 kB/s.
  private static let timeoutSeconds = 600
  /// Where the files are.
  static let path = "/airports/v1/"

  /// - Parameter headers: What each request carries besides; asked anew for each.
  public init(transport: any Transport, headers: @escaping @Sendable () -> [(name: String, value: String)] = { [] }) {
    self.transport = transport
    self.headers = headers
  }

  public func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    var fields = headers()
    // The file is packed already, and ranges are counted in what is sent.
    fields.append(("Accept-Encoding", "identity"))
    if request.offset > 0, let tag = request.entityTag {
      fields.append(("Range", "bytes=\(request.offset)-"))
      fields.append(("If-Range", tag))
    }
    let answer: TransportAnswer
    do throws(TransportError) {
      answer = try await transport.send(
        TransportRequest(
          method: "GET", target: Self.path + request.cycle.identifier, headers: fields, body: [],
          timeoutSeconds: Self.timeoutSeconds))
    } catch {
      throw AirportTransportError(Task.isCancelled ? .cancelled : .unreachable, reason: error.message)
    }
    switch answer.status {
    case 200: return .body(Self.body(answer, from: 0, of: Int64(answer.body.count)))
    case 206:
      return .body(Self.body(answer, from: request.offset, of: request.offset + Int64(answer.body.count)))
    case 404, 410: return .notAvailable
    case 416: return .nothingMore(totalBytes: nil)
    default: throw AirportTransportError(.refused, status: answer.status, reason: "the server refused")
    }
  }

  private static func body(_ answer: TransportAnswer, from offset: Int64, of total: Int64) -> AirportBody {
    let tag = answer.header("ETag").flatMap { $0.hasPrefix("W/") ? nil : $0 }
    let blocks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(answer.body)
      continuation.finish()
    }
    return AirportBody(offset: offset, totalBytes: total, entityTag: tag, blocks: blocks)
  }
}
