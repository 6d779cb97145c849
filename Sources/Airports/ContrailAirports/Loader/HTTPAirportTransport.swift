package import ContrailAirportData
package import ContrailHTTP
import ContrailWire

/// Downloads airport files over HTTP and resumes interrupted downloads with `Range` and `If-Range`.
///
/// Files are received in blocks. One redirect is followed, as code hosts answer for the files of a release. The redirected request has
/// no API key, and doesn't leave TLS.
public struct HTTPAirportTransport: AirportTransport {
  /// The path of the files on a server. The name of a file follows: `2511`, or `2510-2511` for a delta.
  public static let path = "/airports/v1/"
  /// The suffixes of the files in a published folder: `2511.airports.xz`, and `2510-2511.delta.xz` for a delta.
  package static let (fileSuffix, deltaSuffix) = (".airports.xz", ".delta.xz")
  /// The time limit of one attempt. At 20 kB/s, an attempt receives about 12 MB, and the next one resumes there.
  private static let timeoutSeconds = 600
  /// The maximum size of a response body.
  private static let maximumBodyBytes = 64 << 20

  private let transport: any Transport
  /// The connection to the server to which a request is redirected.
  private let redirects: Connection
  /// The gate for requests to that server; nil for none.
  private let gate: LinkGate?
  private let headers: @Sendable () -> [(name: String, value: String)]
  /// Returns the path of a file, or of the delta from a base; nil if there are no deltas.
  private let target: @Sendable (AIRACCycle, _ base: AIRACCycle?) -> String?

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - transport: The connection to the server.
  ///   - redirects: The connection to another server, to which a request is redirected.
  ///   - gate: The gate for requests to that server; nil for none.
  ///   - headers: Returns additional header fields, such as an API key. It is called for each request.
  ///   - target: Returns the path of a cycle's file, or of the delta from a base, with a query if needed; nil if there
  ///     are no deltas.
  package init(
    transport: any Transport, redirects: Connection = Connection(), gate: LinkGate? = nil,
    headers: @escaping @Sendable () -> [(name: String, value: String)] = { [] },
    target: @escaping @Sendable (AIRACCycle, _ base: AIRACCycle?) -> String? = { cycle, base in
      path + (base.map { "\($0)-" } ?? "") + cycle.identifier
    }
  ) {
    self.transport = transport
    self.redirects = redirects
    self.gate = gate
    self.headers = headers
    self.target = target
  }

  /// Creates a transport for a published folder on a static host.
  ///
  /// - Parameters:
  ///   - transport: The connection to the folder.
  ///   - redirects: The connection to another server, to which a request is redirected.
  ///   - gate: The gate for requests to that server; nil for none.
  package init(
    publishedFolder transport: any Transport, redirects: Connection = Connection(), gate: LinkGate? = nil
  ) {
    self.init(
      transport: transport, redirects: redirects, gate: gate,
      target: { cycle, base in
        "/" + (base.map { "\($0)-\(cycle)" + Self.deltaSuffix } ?? "\(cycle)" + Self.fileSuffix)
      })
  }

  public func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    guard let target = target(request.cycle, request.base) else { return .notAvailable }
    // The file is already compressed, and ranges count the bytes as sent.
    var fields = [(name: "Accept-Encoding", value: "identity")]
    if request.offset > 0, let tag = request.entityTag {
      fields.append(("Range", "bytes=\(request.offset)-"))
      fields.append(("If-Range", tag))
    }
    var stream: TransportStream
    do throws(TransportError) {
      stream = try await transport.open(Self.get(target, headers() + fields))
      if Redirect.statuses.contains(stream.status),
        let redirect = Redirect(stream.header("Location"), isSecure: transport.isSecure)
      {
        // The transport to another server stays open until the file is received.
        stream = try await other(redirect).open(Self.get(redirect.target, fields))
      }
    } catch {
      throw AirportTransportError(error)
    }
    return try Self.answer(stream)
  }

  private static func get(_ target: String, _ fields: [(name: String, value: String)]) -> TransportRequest {
    TransportRequest(
      method: "GET", target: target, headers: fields, timeoutSeconds: timeoutSeconds,
      maximumBodyBytes: maximumBodyBytes)
  }

  /// Returns the transport to the server that a redirect names.
  private func other(_ redirect: Redirect) throws(TransportError) -> any Transport {
    guard let server = redirect.server else { return transport }
    do throws(ServerURLError) {
      let other = try PlatformTransport.make(server: server, connection: redirects)
      return gate.map { GatedTransport(other, $0) } ?? other
    } catch {
      throw TransportError(.malformed, "the redirect to \(server) is invalid")
    }
  }

  private static func answer(_ stream: TransportStream) throws(AirportTransportError) -> AirportAnswer {
    let range = stream.header("Content-Range").flatMap(ContentRange.init)
    switch stream.status {
    case 200: return body(stream, offset: 0, totalBytes: stream.header("Content-Length").flatMap { Int64($0) })
    case 206:
      guard let range, let first = range.first else {
        throw AirportTransportError(
          .malformed, status: 206, reason: "the partial response has no valid Content-Range field")
      }
      return body(stream, offset: first, totalBytes: range.total)
    case 404, 410: return .notAvailable
    case 416: return .nothingMore(totalBytes: range?.total)
    case 300..<400:
      throw AirportTransportError(
        .refused, status: stream.status,
        reason: "the server redirected the request twice, or to an insecure or invalid place; use the URL of the files")
    default: throw AirportTransportError(.refused, status: stream.status, reason: "the server refused the request")
    }
  }

  private static func body(_ stream: TransportStream, offset: Int64, totalBytes: Int64?) -> AirportAnswer {
    let tag = stream.header("ETag").flatMap { $0.hasPrefix("W/") ? nil : $0 }
    let body = stream.body
    let blocks = AsyncThrowingStream<[UInt8], any Error> {
      do throws(TransportError) { return try await body.next() } catch { throw AirportTransportError(error) }
    }
    return .body(AirportBody(offset: offset, totalBytes: totalBytes, entityTag: tag, blocks: blocks))
  }
}

extension AirportTransportError {
  init(_ error: TransportError) {
    let code: Code =
      switch error.code {
      case .network, .connectionRefused, .timeout: .unreachable
      case .security: .refused
      case .tooLarge, .malformed: .malformed
      case .cancelled: .cancelled
      }
    self.init(code, reason: error.message)
  }
}

/// The value of a `Content-Range` field: `bytes 5-9/10` or `bytes */10` (RFC 9110, 14.4).
struct ContentRange: Equatable {
  var first: Int64?
  var total: Int64?

  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    total = Int64(halves[1])
    guard halves[0] != "*" else { return }
    guard let first = Int64(halves[0].prefix { $0 != "-" }) else { return nil }
    self.first = first
  }
}
