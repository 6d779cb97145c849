public import ContrailAirportData
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Files of airports over HTTP, through URLSession: with `Range` and `If-Range`, so that a download that broke goes on.
public final class URLSessionAirportTransport: AirportTransport {
  private let session: URLSession
  private let receiver = HTTPReceiver()
  private let address: @Sendable (AIRACCycle) -> URL
  private let headers: @Sendable () -> [String: String]

  /// - Parameters:
  ///   - timeoutSeconds: How long nothing may come before the connection counts as broken.
  ///   - headers: What is sent besides, such as `Authorization`; asked anew for each request.
  ///   - address: Where the file of a cycle is: `https://host/airports/v1/2511`.
  public init(
    timeoutSeconds: TimeInterval = 30, headers: @escaping @Sendable () -> [String: String] = { [:] },
    address: @escaping @Sendable (AIRACCycle) -> URL
  ) {
    self.address = address
    self.headers = headers
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.timeoutIntervalForRequest = timeoutSeconds
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  public func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    var http = URLRequest(url: address(request.cycle))
    for (field, value) in headers() { http.setValue(value, forHTTPHeaderField: field) }
    // The file is packed already, and ranges are counted in what is sent.
    http.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if request.offset > 0, let tag = request.entityTag {
      http.setValue("bytes=\(request.offset)-", forHTTPHeaderField: "Range")
      http.setValue(tag, forHTTPHeaderField: "If-Range")
    }
    let task = session.dataTask(with: http)
    let (head, blocks) = receiver.expect(task)
    task.resume()
    let response: HTTPURLResponse
    do {
      response = try await withTaskCancellationHandler {
        var heads = head.makeAsyncIterator()
        guard let response = try await heads.next() else {
          throw AirportTransportError(.unreachable, reason: "the connection ended without an answer")
        }
        return response
      } onCancel: {
        task.cancel()
      }
    } catch let error as AirportTransportError {
      throw error
    } catch {
      throw AirportTransportError(.unreachable, reason: "the connection failed")
    }
    return try Self.answer(response, blocks) { task.cancel() }
  }

  private static func answer(
    _ response: HTTPURLResponse, _ blocks: AsyncThrowingStream<[UInt8], any Error>, cancel: () -> Void
  ) throws(AirportTransportError) -> AirportAnswer {
    let tag = response.value(forHTTPHeaderField: "ETag").flatMap { $0.hasPrefix("W/") ? nil : $0 }
    let range = response.value(forHTTPHeaderField: "Content-Range").flatMap(ContentRange.init)
    switch response.statusCode {
    case 200:
      let length = response.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
      return .body(AirportBody(offset: 0, totalBytes: length, entityTag: tag, blocks: blocks))
    case 206:
      guard let range, let first = range.first else {
        cancel()
        throw AirportTransportError(.malformed, status: 206, reason: "a part came that doesn't say which")
      }
      return .body(AirportBody(offset: first, totalBytes: range.total, entityTag: tag, blocks: blocks))
    case 404, 410:
      cancel()
      return .notAvailable
    case 416:
      cancel()
      return .nothingMore(totalBytes: range?.total)
    default:
      cancel()
      throw AirportTransportError(.refused, status: response.statusCode, reason: "the server refused")
    }
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
    guard let start = halves[0].split(separator: "-").first, let first = Int64(start), first >= 0 else { return nil }
    self.first = first
  }
}
