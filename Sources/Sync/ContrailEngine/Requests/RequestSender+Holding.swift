import ContrailCore
import ContrailHTTP
import ContrailWire

// Held requests, whose answers go on.

extension RequestSender {
  /// The time limit of a stream of answers, in seconds. The server ends it before, and the rules give up an answer that is late.
  private static let streamSeconds = 2 * 3600

  /// Returns the results of held requests: the next answer of the stream that the server has open for them, or the first of a new one.
  func hold(
    _ requests: [OutgoingRequest], _ packed: TransportRequest, seconds: Int64, with credentials: Credentials
  ) async -> [RequestResult] {
    let held = HeldStreams.Held(areas: requests.compactMap(\.area), credentials: credentials)
    var sent = SentBytes.zero
    do throws(TransportError) {
      if var stream = await streams.take(held), let part = try await stream.next() {
        return await results(of: part, stream, to: requests, with: credentials, sent: nil)
      }
      var packed = packed
      packed.timeoutSeconds = Self.streamSeconds
      for index in packed.headers.indices where packed.headers[index].name == HoldTerms.field {
        packed.headers[index].value += ", " + HoldTerms.streamPreference
      }
      sent = self.sent(packed, over: transport)
      return try await first(requests, packed, seconds: seconds, with: credentials, sent: sent)
    } catch {
      let message = SecretFilter(credentials).filtered(error.message)
      let bytes = sent
      return requests.indices.map { .failed(error.failure, message: message, sent: $0 == 0 ? bytes : .zero) }
    }
  }

  /// Sends held requests and returns the results of the first answer.
  private func first(
    _ requests: [OutgoingRequest], _ packed: TransportRequest, seconds: Int64, with credentials: Credentials,
    sent: SentBytes
  ) async throws(TransportError) -> [RequestResult] {
    let start = ContinuousClock.now
    let opened: TransportStream
    let block: [UInt8]?
    do {
      opened = try await transport.open(packed)
      block = try await opened.body.next()
    } catch {
      if start.duration(to: .now) >= .seconds(seconds) { await streams.giveUp() }
      throw error
    }
    var answer = TransportAnswer(status: opened.status, headers: opened.headers, body: block ?? [])
    guard answer.status == 200, block?.first == CompactStream.mark else {
      while let block = try await opened.body.next() { answer.body += block }
      guard requests.count > 1 else {
        return [result(of: answer, to: requests[0], with: credentials, sent: sent)]
      }
      return results(of: answer, to: requests, with: credentials, sent: sent)
    }
    var stream = HeldStreams.Stream(
      answer: answer, body: opened.body, reader: CompactStream(limit: TransportRequest.defaultMaximumBodyBytes))
    stream.reader.append(answer.body)
    stream.answer.body = []
    guard let part = try await stream.next() else {
      throw TransportError(.malformed, "the stream of answers ends before the first")
    }
    return await results(of: part, stream, to: requests, with: credentials, sent: sent)
  }

  /// Returns the results of an answer of a stream, and keeps the stream for the requests that follow.
  ///
  /// - Parameter sent: The bytes of the requests; nil if none were sent. Then the answer has no head either.
  private func results(
    of part: CompactStream.Part, _ stream: HeldStreams.Stream, to requests: [OutgoingRequest],
    with credentials: Credentials, sent: SentBytes?
  ) async -> [RequestResult] {
    var answer = stream.answer
    answer.body = part.body
    let head = answer.headBytes
    var results =
      requests.count == 1
      ? [result(of: answer, to: requests[0], with: credentials, sent: sent ?? .zero)]
      : results(of: answer, to: requests, with: credentials, sent: sent ?? .zero)
    var next: [AreaRequest] = []
    for (index, request) in requests.enumerated() {
      guard case .answered(var response) = results[index] else { continue }
      if index == 0 {
        response.wireBytes += Int64(part.streamBytes - part.body.count)
        if sent == nil {
          response.wireBytes -= head
          response.headBytes = 0
        }
        results[index] = .answered(response)
      }
      guard response.status == 200, case .answer(let observations) = response.body, let area = request.area else {
        continue
      }
      next.append(area.following(observations))
    }
    if next.count == requests.count {
      await streams.keep(stream, for: .init(areas: next, credentials: credentials))
    }
    return results
  }
}
