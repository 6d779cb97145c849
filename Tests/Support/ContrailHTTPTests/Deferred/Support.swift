import Dispatch
import Testing

@testable import ContrailHTTP

/// What has been heard, in order, from any thread.
final class Heard<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  var elements: [Element] { state.withLock { $0.elements } }
  var count: Int { elements.count }

  func append(_ element: Element) {
    let ready = state.withLock { state in
      state.elements.append(element)
      let count = state.elements.count
      let ready = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Waits until so many have been heard.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.elements.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}

/// A place to put what is made only later, such as a connection that its own closure cancels.
final class Box<Value: Sendable>: Sendable {
  private let state = Lock<Value?>(nil)

  var value: Value? {
    get { state.withLock { $0 } }
    set {
      var other = newValue
      state.withLock { swap(&$0, &other) }
    }
  }
}

/// Something to watch the release of.
final class Token: Sendable {}

struct Mishap: Error, Equatable {
  let number: Int
}

extension DispatchQueue {
  /// Waits until a serial queue has run what it holds, and so many rounds of what that puts on it again.
  func flush(rounds: Int = 8) {
    for _ in 0..<rounds { sync {} }
  }

  var isHere: Bool { DispatchQueue.getSpecific(key: here) == label }

  /// A serial queue that `isHere` knows.
  static func marked(_ label: String, attributes: DispatchQueue.Attributes = []) -> DispatchQueue {
    let queue = DispatchQueue(label: label, attributes: attributes)
    queue.setSpecific(key: here, value: label)
    return queue
  }
}

private let here = DispatchSpecificKey<String>()

/// Runs the closure on so many threads at once, and returns when all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withCheckedContinuation { continuation in
    let group = DispatchGroup()
    for index in 0..<count {
      DispatchQueue.global().async(group: group) { body(index) }
    }
    group.notify(queue: .global()) { continuation.resume() }
  }
}
