package import ContrailCore
package import ContrailWire

/// Held requests that a server holds again after each answer, so that the next ones needn't be sent: they read the next answer of the
/// stream.
///
/// The rules know single requests: one is held, answered, and held again. A request that differs from what the server holds, in its
/// token, traffic, terms, filter or key, closes the stream and opens another.
package struct HeldRequests: Hashable, Sendable {
  /// What the server holds.
  private var areas: [AreaRequest]
  private var credentials: Credentials

  /// The time limit of a stream of answers, in seconds. The server ends it before, and the rules give up an answer that is late.
  package static let streamSeconds = 2 * 3600
  /// The time in seconds for which a stream stays open that no request continues.
  package static let idleSeconds = 20

  /// - Parameter requests: Requests by handle.
  package init(_ requests: [OutgoingRequest], with credentials: Credentials) {
    areas = requests.compactMap { $0.area }
    self.credentials = credentials
  }

  /// Returns the request for a stream of answers.
  package static func streaming(_ request: TransportRequest) -> TransportRequest {
    var request = request
    request.timeoutSeconds = streamSeconds
    for index in request.headers.indices where request.headers[index].name == HoldTerms.field {
      request.headers[index].value += ", " + HoldTerms.streamPreference
    }
    return request
  }

  /// Whether a body begins as a stream of answers.
  package static func isStream(status: Int, firstByte: UInt8?) -> Bool {
    status == 200 && firstByte == CompactStream.mark
  }

  /// Returns the results of an answer of a stream, and what the server holds then; nil if nothing may follow.
  ///
  /// - Parameters:
  ///   - part: The answer.
  ///   - head: The head of the stream.
  ///   - sent: The bytes of the requests; nil if none were sent. Then the answer has no head either.
  package static func results(
    of part: CompactStream.Part, of head: TransportAnswer, to requests: [OutgoingRequest],
    with credentials: Credentials, sent: SentBytes?
  ) -> (results: [RequestResult], next: HeldRequests?) {
    var answer = head
    answer.body = part.body
    // The fields are the first answer's, such as the server's time.
    if sent == nil { answer.headers = [] }
    let headBytes = answer.headBytes
    var results = ReceivedAnswer(answer, coding: .plain, encodedBytes: Int64(part.body.count))
      .results(to: requests, with: credentials, sent: sent ?? .zero)
    var next = HeldRequests([], with: credentials)
    for (index, request) in requests.enumerated() {
      guard case .answered(var response) = results[index] else { continue }
      if index == 0 {
        response.wireBytes += Int64(part.streamBytes - part.body.count)
        if sent == nil {
          response.wireBytes -= headBytes
          response.headBytes = 0
        }
        results[index] = .answered(response)
      }
      guard response.status == 200, case .answer(let observations) = response.body, let area = request.area else {
        continue
      }
      next.areas.append(area.following(observations))
    }
    return (results, next.areas.count == requests.count ? next : nil)
  }
}
