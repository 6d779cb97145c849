import Dispatch
import Testing

@testable import ContrailHTTP

@Suite struct FutureTests {
  /// What a sink heard, as text.
  private func listen(_ future: Future<Int>, _ heard: Heard<String>, _ name: String = "") -> Cancellable {
    future.sink(
      receiveValue: { heard.append("\(name)\($0)") }, failure: { heard.append("\(name)\($0)") })
  }

  // MARK: Outcomes

  @Test func aSinkHearsTheValueOnceWhenItComes() {
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<String>()
    let connection = listen(future, heard)
    #expect(heard.elements == [])
    #expect(future.result == nil)
    #expect(promise.succeed(7))
    #expect(heard.elements == ["7"])
    withExtendedLifetime(connection) {}
  }

  @Test func theFirstOutcomeStands() throws {
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<String>()
    let connection = listen(future, heard)
    #expect(promise.succeed(7))
    #expect(!promise.succeed(8))
    #expect(!promise.fail(Mishap(number: 9)))
    #expect(heard.elements == ["7"])
    #expect(try future.result?.get() == 7)
    withExtendedLifetime(connection) {}
  }

  @Test func aFailureGoesToTheFailureClosureOnly() {
    let (future, promise) = Future<Int>.makePromise()
    let errors = Heard<Mishap?>()
    let values = Heard<Int>()
    let connection = future.sink(
      receiveValue: { values.append($0) }, failure: { errors.append($0 as? Mishap) })
    promise.fail(Mishap(number: 3))
    #expect(errors.elements == [Mishap(number: 3)])
    #expect(values.elements == [])
    withExtendedLifetime(connection) {}
  }

  @Test func aSinkThatComesLateIsCalledBeforeItIsConnected() {
    let heard = Heard<String>()
    let value = listen(Future(value: 1), heard)
    #expect(heard.elements == ["1"])
    let error = listen(Future(error: Mishap(number: 2)), heard)
    #expect(heard.elements == ["1", "Mishap(number: 2)"])
    withExtendedLifetime((value, error)) {}
  }

  @Test func aBrokenPromiseFails() async {
    var pair: (future: Future<Int>, promise: Promise<Int>)? = Future<Int>.makePromise()
    let future = pair?.future
    pair = nil
    await #expect(throws: FutureError.promiseBroken) { try await future?.value }
    #expect(FutureError.promiseBroken.code == "promiseBroken")
    #expect("\(FutureError.promiseBroken)".contains("start the operation again"))
  }

  @Test func aPromiseOfNothingSucceeds() async throws {
    let (future, promise) = Future<Void>.makePromise()
    #expect(promise.succeed())
    try await future.value
  }

  // MARK: Order

  @Test func sinksAreCalledInTheOrderInWhichTheyCame() {
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<String>()
    let connections = (0..<20).map { listen(future, heard, "\($0):") }
    promise.succeed(5)
    #expect(heard.elements == (0..<20).map { "\($0):5" })
    withExtendedLifetime(connections) {}
  }

  @Test func sinksMayListenCompleteAndCancelFromWithin() {
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<String>()
    let later = Box<Cancellable>()
    let inner = Box<Cancellable>()
    let first = future.sink(
      receiveValue: { value in
        heard.append("first")
        inner.value = future.sink(receiveValue: { _ in heard.append("inner") }, failure: { _ in })
        #expect(!promise.succeed(value + 1))
        later.value?.cancel()
      }, failure: { _ in })
    later.value = listen(future, heard, "later")
    promise.succeed(1)
    #expect(heard.elements == ["first", "inner"])
    withExtendedLifetime(first) {}
  }

  // MARK: Cancellation

  @Test func aCancelledSinkHearsNothing() {
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<String>()
    let cancelled = listen(future, heard, "cancelled")
    let other = listen(future, heard, "other")
    cancelled.cancel()
    promise.succeed(1)
    #expect(heard.elements == ["other1"])
    withExtendedLifetime(other) {}
  }

  @Test func aReleasedSinkHearsNothing() {
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<String>()
    do { _ = listen(future, heard) }
    promise.succeed(1)
    #expect(heard.elements == [])
  }

  @Test func aSinkKeepsTheFutureAndItsWork() {
    let heard = Heard<String>()
    let cancelled = Heard<Int>()
    var future: Future<Int>?
    let promise: Promise<Int>
    (future, promise) = Future<Int>.makePromise { cancelled.append(1) }
    let connection = future.map { listen($0, heard) }
    future = nil
    #expect(cancelled.count == 0)
    promise.succeed(4)
    #expect(heard.elements == ["4"])
    #expect(cancelled.count == 0)
    withExtendedLifetime(connection) {}
  }

  @Test func workIsCancelledWhenTheLastSinkGoesAndNobodyHoldsTheFuture() {
    let heard = Heard<String>()
    let cancelled = Heard<Int>()
    var future: Future<Int>?
    let promise: Promise<Int>
    (future, promise) = Future<Int>.makePromise { cancelled.append(1) }
    let first = future.map { listen($0, heard) }
    let second = future.map { listen($0, heard) }
    future = nil
    first?.cancel()
    #expect(cancelled.count == 0)
    second?.cancel()
    #expect(cancelled.count == 1)
    #expect(!promise.succeed(1))
    #expect(heard.elements == [])
  }

  @Test func workGoesOnWhileSomebodyHoldsTheFuture() throws {
    let cancelled = Heard<Int>()
    let (future, promise) = Future<Int>.makePromise { cancelled.append(1) }
    listen(future, Heard()).cancel()
    #expect(cancelled.count == 0)
    promise.succeed(1)
    #expect(try future.result?.get() == 1)
  }

  @Test func workThatNobodyAwaitsIsCancelled() async {
    let cancelled = Heard<Int>()
    do {
      _ = Future<Int> {
        await withTaskCancellationHandler {
          await cancelled.wait(for: 1)
        } onCancel: {
          cancelled.append(1)
        }
        return 1
      }
    }
    await cancelled.wait(for: 1)
    #expect(cancelled.count == 1)
  }

  @Test func aFutureThatHasCompletedCancelsNothing() {
    let cancelled = Heard<Int>()
    do {
      let (future, promise) = Future<Int>.makePromise { cancelled.append(1) }
      promise.succeed(1)
      withExtendedLifetime(future) {}
    }
    #expect(cancelled.count == 0)
  }

  // MARK: Async

  @Test func asyncWorkGivesItsValueOrItsError() async throws {
    #expect(try await Future { 3 }.value == 3)
    await #expect(throws: Mishap(number: 4)) {
      try await Future<Int> { throw Mishap(number: 4) }.value
    }
  }

  @Test func aValueIsAwaited() async throws {
    let (future, promise) = Future<Int>.makePromise()
    async let value = future.value
    promise.succeed(11)
    #expect(try await value == 11)
    #expect(try await future.value == 11)
  }

  @Test func cancellingTheTaskEndsTheWaitAndTheWork() async {
    let started = Heard<Int>()
    let cancelled = Heard<Int>()
    let waiting = Task {
      try await Future<Int> {
        started.append(1)
        return await withTaskCancellationHandler {
          await cancelled.wait(for: 1)
          return 1
        } onCancel: {
          cancelled.append(1)
        }
      }.value
    }
    await started.wait(for: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await cancelled.wait(for: 1)
  }

  @Test func cancellingOneWaiterLeavesTheOthers() async throws {
    let cancelled = Heard<Int>()
    let (future, promise) = Future<Int>.makePromise { cancelled.append(1) }
    let one = Task { try await future.value }
    let other = Task { try await future.value }
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(cancelled.count == 0)
    promise.succeed(6)
    #expect(try await other.value == 6)
  }

  @Test func anOutcomeIsGivenEvenToACancelledTask() async throws {
    let future = Future(value: 2)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await future.value
    }
    #expect(try await task.value == 2)
  }

  // MARK: Queues

  @Test func aQueuedSinkIsCalledOnItsQueue() async {
    let queue = DispatchQueue.marked("sink")
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<Bool>()
    let value = future.sink(on: queue, receiveValue: { _ in heard.append(queue.isHere) }, failure: { _ in })
    let error = Future<Int>(error: Mishap(number: 1)).sink(
      on: queue, receiveValue: { _ in }, failure: { _ in heard.append(queue.isHere) })
    promise.succeed(1)
    await heard.wait(for: 2)
    #expect(heard.elements == [true, true])
    withExtendedLifetime((value, error)) {}
  }

  @Test func aCallThatWaitsOnTheQueueIsNotMadeOnceCancelled() {
    let queue = DispatchQueue(label: "sink")
    let (future, promise) = Future<Int>.makePromise()
    let heard = Heard<Int>()
    queue.suspend()
    let connection = future.sink(on: queue, receiveValue: { heard.append($0) }, failure: { _ in })
    promise.succeed(1)
    connection.cancel()
    queue.resume()
    queue.flush()
    #expect(heard.elements == [])
  }

  @Test @MainActor func theMainThreadIsToldOnTheMainActorAndLater() async {
    let heard = Heard<String>()
    let (future, promise) = Future<Int>.makePromise()
    let value = future.sinkOnMainThread(
      receiveValue: { value in
        MainActor.assertIsolated()
        heard.append("\(value)")
      }, failure: { _ in })
    let error = Future<Int>(error: Mishap(number: 1)).sinkOnMainThread(
      receiveValue: { _ in }, failure: { heard.append("\($0)") })
    promise.succeed(1)
    #expect(heard.elements == [])
    await heard.wait(for: 2)
    #expect(heard.elements == ["Mishap(number: 1)", "1"])
    withExtendedLifetime((value, error)) {}
  }

  // MARK: Release

  @Test func anOutcomeReleasesClosuresFutureAndValue() {
    weak var closure: Token?
    weak var value: Token?
    weak var watched: Future<Token>?
    var connection: Cancellable?
    do {
      let (future, promise) = Future<Token>.makePromise()
      let captured = Token()
      closure = captured
      watched = future
      connection = future.sink(
        receiveValue: { _ in withExtendedLifetime(captured) {} }, failure: { _ in })
      let token = Token()
      value = token
      promise.succeed(token)
    }
    withExtendedLifetime(connection) {
      #expect(closure == nil)
      #expect(value == nil)
      #expect(watched == nil)
    }
    connection = nil
  }

  @Test func cancellationReleasesClosuresAndFuture() {
    weak var closure: Token?
    weak var watched: Future<Int>?
    let kept: Promise<Int>
    let connection: Cancellable
    do {
      let (future, promise) = Future<Int>.makePromise()
      kept = promise
      let captured = Token()
      closure = captured
      watched = future
      connection = future.sink(
        receiveValue: { _ in withExtendedLifetime(captured) {} }, failure: { _ in })
    }
    #expect(closure != nil)
    #expect(watched != nil)
    connection.cancel()
    #expect(closure == nil)
    #expect(watched == nil)
    withExtendedLifetime(kept) {}
  }

  @Test func aClosureThatHoldsItsOwnConnectionIsReleasedWithTheOutcome() {
    weak var watched: Token?
    do {
      let (future, promise) = Future<Int>.makePromise()
      let token = Token()
      watched = token
      let own = Box<Cancellable>()
      own.value = future.sink(
        receiveValue: { _ in withExtendedLifetime((token, own)) {} }, failure: { _ in })
      promise.succeed(1)
    }
    #expect(watched == nil)
  }

  @Test func aFutureKeepsNothingOfThoseWhoHaveLeft() {
    weak var watched: FutureSink<Int>?
    let (future, promise) = Future<Int>.makePromise()
    do {
      let sink = FutureSink(future, on: nil) { _ in }
      watched = sink
      future.add(sink)
      sink.cancel()
    }
    #expect(watched == nil)
    withExtendedLifetime((future, promise)) {}
  }

  @Test func onCancelIsReleasedWithTheOutcome() {
    weak var watched: Token?
    let kept: Future<Int>
    do {
      let token = Token()
      watched = token
      let (future, promise) = Future<Int>.makePromise { withExtendedLifetime(token) {} }
      kept = future
      promise.succeed(1)
    }
    #expect(watched == nil)
    withExtendedLifetime(kept) {}
  }
}
