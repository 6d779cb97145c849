import Testing

@testable import ContrailHTTP

@Suite struct CancellableTests {
  @Test func cancelsOnceHoweverOftenItIsAsked() {
    let heard = Heard<Int>()
    var cancellable: Cancellable? = Cancellable { heard.append(1) }
    #expect(heard.count == 0)
    cancellable?.cancel()
    cancellable?.cancel()
    cancellable = nil
    #expect(heard.count == 1)
  }

  @Test func releaseCancels() {
    let heard = Heard<Int>()
    var cancellable: Cancellable? = Cancellable { heard.append(1) }
    withExtendedLifetime(cancellable) { #expect(heard.count == 0) }
    cancellable = nil
    #expect(heard.count == 1)
  }

  @Test func mayBeCancelledFromWithinItself() {
    let box = Box<Cancellable>()
    let heard = Heard<Int>()
    box.value = Cancellable {
      heard.append(1)
      box.value?.cancel()
    }
    box.value?.cancel()
    #expect(heard.count == 1)
  }

  @Test func cancellationReleasesTheAction() {
    weak var watched: Token?
    let cancellable: Cancellable
    do {
      let token = Token()
      watched = token
      cancellable = Cancellable { withExtendedLifetime(token) {} }
    }
    #expect(watched != nil)
    cancellable.cancel()
    #expect(watched == nil)
  }

  @Test func cancelsOnceFromManyThreads() async {
    for _ in 0..<200 {
      let heard = Heard<Int>()
      let cancellable = Cancellable { heard.append(1) }
      await onThreads(4) { _ in cancellable.cancel() }
      #expect(heard.count == 1)
    }
  }
}
