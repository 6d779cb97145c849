import ContrailTestSupport
import ContrailWire
import Testing

@testable import ContrailHTTP

/// The buffer between the platform's HTTP client and the reader of an answer, without either.
@Suite struct AnswerBufferTests {
  private static let network = TransportError(.network, "lost")

  private func buffer(limit: Int = 1 << 20) -> AnswerBuffer { AnswerBuffer(get(maximumBodyBytes: limit), host: "host") }

  private func head(_ status: Int, _ length: String? = nil) -> AnswerBuffer.Head {
    AnswerBuffer.Head(status: status, headers: length.map { [("content-length", $0)] } ?? [])
  }

  private func failure(_ body: () async throws(TransportError) -> Void) async -> TransportError? {
    do throws(TransportError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Reading ahead

  @Test func aClientThatIsFarAheadWaitsForTheReader() async throws {
    let (buffer, resumed) = (buffer(), Heard<Int>())
    let block = [UInt8](repeating: 7, count: 64 << 10)
    // The client may go on until 256 KiB are unread, and again when less than a half of that is.
    let goesOn = (1...4).map { number in buffer.receive(block) { resumed.append(number) } }
    #expect(goesOn == [true, true, true, false])
    for _ in 0..<2 { #expect(try await buffer.nextBlock() == block) }
    #expect(resumed.elements == [])
    #expect(try await buffer.nextBlock() == block)
    #expect(resumed.elements == [4])
    #expect(try await buffer.nextBlock() == block)
    #expect(resumed.elements == [4])
    let goesOnAgain = buffer.receive(block) { resumed.append(5) }
    #expect(goesOnAgain)
  }

  @Test func aClientThatWaitsGoesOnWhenTheAnswerFails() async {
    let (buffer, resumed) = (buffer(), Heard<Int>())
    let goesOn = buffer.receive([UInt8](repeating: 7, count: 256 << 10)) { resumed.append(1) }
    #expect(!goesOn)
    buffer.fail(Self.network)
    buffer.finish()
    #expect(resumed.elements == [1])
  }

  @Test func blocksComeInOrderAndThenTheEnd() async throws {
    let buffer = buffer()
    for number in UInt8(0)..<3 { _ = buffer.receive([number, 9]) {} }
    #expect(try await buffer.nextBlock() == [0, 9])
    _ = buffer.receive([]) {}
    _ = buffer.receive([3]) {}
    buffer.finish()
    var rest: [[UInt8]] = []
    while let block = try await buffer.nextBlock() { rest.append(block) }
    #expect(rest == [[1, 9], [2, 9], [3]])
    #expect(try await buffer.nextBlock() == nil)
  }

  // MARK: Limits

  @Test func aBodyMayHaveAllTheBytesThatAreAllowed() async throws {
    let buffer = buffer(limit: 5)
    _ = buffer.receive([1, 2, 3]) {}
    _ = buffer.receive([4, 5]) {}
    let goesOn = buffer.receive([6]) {}
    #expect(goesOn)
    #expect(try await buffer.nextBlock() == [1, 2, 3])
    #expect(try await buffer.nextBlock() == [4, 5])
    let error = await failure { () throws(TransportError) in _ = try await buffer.nextBlock() }
    #expect(error?.code == .tooLarge)
    #expect(error?.message == "the response of host has more than 5 bytes")
  }

  @Test func anAnnouncedBodyIsRefusedOnlyIfItIsTooLargeAndComes() async throws {
    let refused = buffer(limit: 5)
    refused.receive(head(200, "6"), hasBody: true)
    let error = await failure { () throws(TransportError) in _ = try await refused.stream() }
    #expect(error?.code == .tooLarge)
    #expect(error?.message == "host announced a body of 6 bytes; the limit is 5")
    // An answer to HEAD has the length of a body that doesn't come.
    for (length, hasBody) in [("5", true), ("6", false), ("-", true)] {
      let buffer = buffer(limit: 5)
      buffer.receive(head(200, length), hasBody: hasBody)
      #expect(try await buffer.stream().status == 200)
    }
  }

  @Test func onlyStatusesOfThreeDigitsUpTo599AreValid() async throws {
    for status in [100, 200, 599] {
      let buffer = buffer()
      buffer.receive(head(status), hasBody: true)
      #expect(try await buffer.stream().status == status)
    }
    for status in [-1, 99, 600] {
      let buffer = buffer()
      buffer.receive(head(status), hasBody: true)
      let error = await failure { () throws(TransportError) in _ = try await buffer.stream() }
      #expect(error?.code == .malformed)
    }
  }

  @Test(arguments: [0, -5]) func aRequestWithoutTimeFails(_ seconds: Int) async {
    let buffer = AnswerBuffer(get(timeoutSeconds: seconds), host: "host")
    let error = await failure { () throws(TransportError) in _ = try await buffer.stream() }
    #expect(error?.code == .timeout)
    #expect(error?.message == "host sent no complete response within 0 s")
  }

  // MARK: The head

  @Test func onlyTheFirstHeadCounts() async throws {
    let buffer = buffer()
    buffer.receive(head(201), hasBody: true)
    buffer.receive(head(500), hasBody: true)
    #expect(try await buffer.stream().status == 201)
  }

  @Test func anAnswerThatEndsWithoutAHeadIsMalformed() async {
    let buffer = buffer()
    buffer.finish()
    buffer.receive(head(200), hasBody: true)
    let error = await failure { () throws(TransportError) in _ = try await buffer.stream() }
    #expect(error?.code == .malformed)
  }

  @Test func aReaderThatWaitsIsTold() async throws {
    let buffer = buffer()
    async let waiting = buffer.stream()
    buffer.receive(head(204), hasBody: false)
    let stream = try await waiting
    #expect(stream.status == 204)
    async let block = stream.body.next()
    _ = buffer.receive([1]) {}
    let read = try await block
    #expect(read == [1])
    async let end = stream.body.next()
    buffer.finish()
    let last = try await end
    #expect(last == nil)
  }

  // MARK: The end

  @Test func aFailureCancelsTheRequestOnceWithItsReason() async throws {
    let (buffer, cancelled) = (buffer(), Heard<TransportError.Code>())
    buffer.onCancel { cancelled.append($0.code) }
    _ = buffer.receive([1]) {}
    buffer.fail(Self.network)
    buffer.fail(TransportError(.timeout, "late"))
    buffer.finish()
    #expect(cancelled.elements == [.network])
    // Blocks that were received before the failure are still read.
    #expect(try await buffer.nextBlock() == [1])
    let error = await failure { () throws(TransportError) in _ = try await buffer.nextBlock() }
    #expect(error?.code == .network)
    // Nothing is added to an answer that has ended.
    let goesOn = buffer.receive([2]) {}
    #expect(goesOn)
    let later = await failure { () throws(TransportError) in _ = try await buffer.nextBlock() }
    #expect(later?.code == .network)
  }

  @Test func aRequestThatHasFailedIsCancelledAsSoonAsItCanBe() {
    let (failed, complete, cancelled) = (buffer(), buffer(), Heard<TransportError.Code>())
    failed.fail(Self.network)
    failed.onCancel { cancelled.append($0.code) }
    complete.finish()
    complete.onCancel { cancelled.append($0.code) }
    complete.fail(Self.network)
    #expect(cancelled.elements == [.network])
  }

  @Test func aReleasedBodyCancelsItsRequest() async throws {
    let (buffer, cancelled) = (buffer(), Heard<TransportError.Code>())
    buffer.onCancel { cancelled.append($0.code) }
    buffer.receive(head(200), hasBody: true)
    var stream: TransportStream? = try await buffer.stream()
    #expect(stream?.status == 200)
    stream?.body.onRelease { cancelled.append(.security) }
    #expect(cancelled.elements == [])
    stream = nil
    #expect(cancelled.elements == [.cancelled, .security])
  }

  @Test func aCancelledReaderCancelsTheRequest() async {
    let (buffer, cancelled) = (buffer(), Heard<TransportError.Code>())
    buffer.onCancel { cancelled.append($0.code) }
    let reader = Task { await failure { () throws(TransportError) in _ = try await buffer.stream() } }
    reader.cancel()
    let error = await reader.value
    #expect(error?.code == .cancelled)
    #expect(cancelled.elements == [.cancelled])
  }
}
