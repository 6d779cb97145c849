import ContrailCore
import ContrailEngine
import ContrailHTTP
import ContrailWire

// Streams of answers to held requests, as a shell joins them to requests.

extension Simulation {
  /// A stream of answers that the server has open.
  struct OpenStream {
    /// What the server holds.
    var held: HeldRequests
    /// The head of the first answer.
    var head: TransportAnswer
    /// What was received.
    var reader: CompactStream
    /// The requests that the last answer is to, while they are wanted.
    var numbers: Set<Int64>
    /// When the server gave the last answer, in true milliseconds since 1970.
    var answeredMS: Int64
    /// When the last answer arrives.
    var arrivesMS: Int64
  }

  /// Takes the open stream if its next answer is the one to these requests. Otherwise closes it, and returns nil.
  func takeStream(for exchange: Exchange) -> OpenStream? {
    guard let open = stream.take(), trueMS >= open.arrivesMS,
      trueMS <= open.arrivesMS + Int64(HeldRequests.idleSeconds) * 1000,
      open.held == HeldRequests(exchange.requests, with: exchange.credentials)
    else { return nil }
    return open
  }

  /// A request is given up. Without requests, a stream closes.
  func leaveStream(_ number: Int64) {
    stream?.numbers.remove(number)
    if stream?.numbers.isEmpty ?? false { stream = nil }
  }

  /// The stream ends before its next answer, so the requests are sent.
  func sendAfterStream(_ exchange: Exchange) {
    tally.count("hold.streamEnded")
    var exchange = exchange
    (exchange.stream, exchange.heldUntilMS) = (nil, nil)
    add(.arrival(exchange), at: trueMS + latencyMS)
  }

  /// When an answer that the server gave at a time arrives.
  func arrival(ofAnswerAtMS time: Int64) -> Int64 { max(trueMS, time + (latencyMS + 1) / 2) }

  /// Returns the results of an answer to held requests as a part of a stream, and its bytes; nil if the server begins no stream with it.
  func streamed(
    _ answer: TransportAnswer, to exchange: Exchange, atMS time: Int64
  ) -> (results: [RequestResult], wireBytes: Int64)? {
    guard script.setting.streams, exchange.heldUntilMS != nil, answer.status == 200,
      answer.header("Content-Encoding") == nil
    else { return nil }
    var head = answer
    head.body = []
    let isFirst = exchange.stream == nil
    var reader = exchange.stream?.reader ?? CompactStream(limit: RequestPacker.maximumBodyBytes)
    let bytes = (isFirst ? CompactStream.head : []) + CompactStream.part(answer.body)
    reader.append(bytes)
    guard let part = try? reader.next() else {
      judge.find(.accounting, "an answer of \(answer.body.count) bytes isn't found in its stream")
      return nil
    }
    tally.count(isFirst ? "hold.streamBegun" : "hold.streamed")
    var (results, next) = HeldRequests.results(
      of: part, of: exchange.stream?.head ?? head, to: exchange.requests, with: exchange.credentials,
      sent: isFirst ? SentBytes(total: 120, head: 120) : nil)
    if sabotage == .streamsTellTheFirstTime, !isFirst {
      results = results.map { $0.telling(exchange.stream?.head.header(WireHeader.serverTime).flatMap { Int64($0) }) }
    }
    if let next, exchange.fault != .holdDrained {
      let arrival = arrival(ofAnswerAtMS: time) + (exchange.fault == .late ? Self.lateMS : 0)
      stream = OpenStream(
        held: next, head: exchange.stream?.head ?? head, reader: reader,
        numbers: Set(exchange.requests.map(\.number)), answeredMS: time, arrivesMS: arrival)
    }
    return (results, Int64(bytes.count) + (isFirst ? head.headBytes : 0))
  }
}

extension RequestResult {
  /// The result as if the server told another time.
  fileprivate func telling(_ serverTimeMS: Int64?) -> RequestResult {
    guard case .answered(var response) = self else { return self }
    response.serverTimeMS = serverTimeMS
    return .answered(response)
  }
}
