import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailWire

// Held requests, whose answers go on.

extension RequestSender {
  /// Returns the results of held requests: the next answer of the stream that the server has open for them, or the first of a new one.
  func hold(
    _ requests: [OutgoingRequest], _ packed: TransportRequest, seconds: Int64, with credentials: Credentials
  ) async -> [RequestResult] {
    var sent = SentBytes.zero
    do throws(TransportError) {
      if var stream = await streams.take(HeldRequests(requests, with: credentials)), let part = try await stream.next()
      {
        return await results(of: part, stream, to: requests, with: credentials, sent: nil)
      }
      let packed = HeldRequests.streaming(packed)
      sent = self.sent(packed, over: transport)
      return try await first(requests, packed, seconds: seconds, with: credentials, sent: sent)
    } catch {
      return RequestResult.failed(error, requests, with: credentials, sent: sent)
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
    guard HeldRequests.isStream(status: answer.status, firstByte: block?.first) else {
      while let block = try await opened.body.next() { answer.body += block }
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
  private func results(
    of part: CompactStream.Part, _ stream: HeldStreams.Stream, to requests: [OutgoingRequest],
    with credentials: Credentials, sent: SentBytes?
  ) async -> [RequestResult] {
    let (results, next) = HeldRequests.results(
      of: part, of: stream.answer, to: requests, with: credentials, sent: sent)
    if let next { await streams.keep(stream, for: next) }
    return results
  }
}
