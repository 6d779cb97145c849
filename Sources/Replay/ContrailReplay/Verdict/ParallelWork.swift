import Dispatch

/// Independent pieces of work, done on several threads.
package enum ParallelWork {
  /// Does all pieces and returns their results in order.
  ///
  /// The closures `onStart` and `onFinish` are called on several threads, one call after the other.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - threads: The number of pieces at the same time. One piece at a time is done on the calling thread.
  ///   - onStart: Called with the index of a piece before it is done.
  ///   - onFinish: Called with the number of complete pieces.
  ///   - body: Does the piece with an index.
  package static func results<Output>(
    _ count: Int, threads: Int, onStart: @escaping (Int) -> Void = { _ in },
    onFinish: @escaping (Int) -> Void = { _ in }, _ body: @escaping (Int) -> Output
  ) -> [Output] {
    let pieces = Pieces(count, onStart, onFinish, body)
    let threads = min(threads, count)
    if threads > 1 {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in pieces.doAll() }
    } else {
      pieces.doAll()
    }
    return pieces.outputs.compactMap(\.self)
  }

  /// The pieces that aren't started yet, and the results. The gate lets one thread in at a time.
  private final class Pieces<Output>: @unchecked Sendable {
    private let onStart: (Int) -> Void
    private let onFinish: (Int) -> Void
    private let body: (Int) -> Output
    private let gate = DispatchSemaphore(value: 1)
    private var started = 0
    private var finished = 0
    private(set) var outputs: [Output?]

    init(
      _ count: Int, _ onStart: @escaping (Int) -> Void, _ onFinish: @escaping (Int) -> Void,
      _ body: @escaping (Int) -> Output
    ) {
      (self.onStart, self.onFinish, self.body) = (onStart, onFinish, body)
      outputs = Array(repeating: nil, count: count)
    }

    func doAll() {
      while let index = next() { finish(index, body(index)) }
    }

    private func next() -> Int? {
      gate.wait()
      defer { gate.signal() }
      guard started < outputs.count else { return nil }
      started += 1
      onStart(started - 1)
      return started - 1
    }

    private func finish(_ index: Int, _ output: Output) {
      gate.wait()
      defer { gate.signal() }
      outputs[index] = output
      finished += 1
      onFinish(finished)
    }
  }
}
