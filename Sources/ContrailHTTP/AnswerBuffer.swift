import Foundation

/// One answer on its way from a platform's HTTP client to its reader.
///
/// It keeps the limits of the request, for every platform alike: the total deadline, the size of the body as it
/// arrives, and how far the client may read ahead of the reader.
final class AnswerBuffer: @unchecked Sendable {
  struct Head: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
  }

  private enum Ending {
    case complete
    case failed(TransportError)
  }

  private struct State {
    var head: Head?
    var blocks: [[UInt8]] = []
    /// The first block that wasn't read yet.
    var first = 0
    var heldBytes = 0
    var receivedBytes = 0
    var ending: Ending?
    var readers: [CheckedContinuation<Void, Never>] = []
    /// Lets the client go on reading.
    var resume: (@Sendable () -> Void)?
    /// Cancels the client's request.
    var cancel: (@Sendable () -> Void)?
    var deadline: Task<Void, Never>?
  }

  /// What is called once the lock is free.
  private struct Calls {
    var cancel: (@Sendable () -> Void)?
    var resume: (@Sendable () -> Void)?
    var deadline: Task<Void, Never>?
    var readers: [CheckedContinuation<Void, Never>] = []

    func make() {
      deadline?.cancel()
      cancel?()
      resume?()
      for reader in readers { reader.resume() }
    }
  }

  /// The client stops reading above this.
  private static let readAheadBytes = 256 << 10
  private static let maximumTimeoutSeconds = 86_400

  private let host: String
  private let maximumBodyBytes: Int
  private let lock = NSLock()
  /// Guarded by `lock`.
  private var state = State()

  /// Makes an empty buffer and starts the deadline.
  init(_ request: TransportRequest, host: String) {
    self.host = host
    maximumBodyBytes = request.maximumBodyBytes
    let seconds = min(max(request.timeoutSeconds, 0), Self.maximumTimeoutSeconds)
    state.deadline = Task { [weak self] in
      do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      self?.fail(TransportError(.timeout, "\(host) gave no complete answer within \(seconds) s"))
    }
  }

  /// Makes a buffer that holds a whole body.
  init(_ body: [UInt8]) {
    host = ""
    maximumBodyBytes = .max
    state.blocks = body.isEmpty ? [] : [body]
    state.heldBytes = body.count
    state.ending = .complete
  }

  // MARK: The client's side

  /// Sets how the client's request is cancelled; calls it at once if the answer has failed by now.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let hasFailed = lock.withLock {
      switch state.ending {
      case nil: state.cancel = cancel
      case .complete: break
      case .failed: return true
      }
      return false
    }
    if hasFailed { cancel() }
  }

  /// Takes the head, and refuses it if it announces too large a body.
  func receive(_ head: Head, hasBody: Bool) {
    guard (100...599).contains(head.status) else {
      return fail(TransportError(.malformed, "\(host) answered with the invalid status \(head.status)"))
    }
    if hasBody, let length = head.headers.value("Content-Length").flatMap({ Int($0) }), length > maximumBodyBytes {
      return fail(.tooLarge("\(host) announces \(length) bytes; the limit is \(maximumBodyBytes)"))
    }
    let calls = lock.withLock {
      if state.ending == nil, state.head == nil { state.head = head }
      return wakeReaders()
    }
    calls.make()
  }

  /// Takes a block of the body.
  ///
  /// - Parameter resume: Is called once when the reader has caught up, or the answer has ended.
  /// - Returns: Whether the client may go on at once; `resume` isn't called then.
  func receive(_ block: [UInt8], resume: @escaping @Sendable () -> Void) -> Bool {
    let (goesOn, calls) = lock.withLock { () -> (Bool, Calls) in
      guard state.ending == nil, !block.isEmpty else { return (true, Calls()) }
      guard block.count <= maximumBodyBytes - state.receivedBytes else {
        return (true, end(.failed(.tooLarge("the answer of \(host) has more than \(maximumBodyBytes) bytes"))))
      }
      state.receivedBytes += block.count
      state.heldBytes += block.count
      state.blocks.append(block)
      let goesOn = state.heldBytes < Self.readAheadBytes
      if !goesOn { state.resume = resume }
      return (goesOn, wakeReaders())
    }
    calls.make()
    return goesOn
  }

  /// Ends the answer: all of it has come.
  func finish() {
    lock.withLock { end(.complete) }.make()
  }

  /// Ends the answer with an error, and the client's request with it. The first ending counts.
  func fail(_ error: TransportError) {
    lock.withLock { end(.failed(error)) }.make()
  }

  /// Ends the answer because nobody reads it any more.
  func abandon() { fail(.cancelled(host)) }

  private func end(_ ending: Ending) -> Calls {
    guard state.ending == nil else { return Calls() }
    state.ending = ending
    var calls = wakeReaders()
    if case .failed = ending { calls.cancel = state.cancel }
    (calls.resume, calls.deadline) = (state.resume, state.deadline)
    (state.resume, state.cancel, state.deadline) = (nil, nil, nil)
    return calls
  }

  private func wakeReaders() -> Calls {
    defer { state.readers = [] }
    return Calls(readers: state.readers)
  }

  // MARK: The reader's side

  /// Returns the head and the body that follows.
  func stream() async throws(TransportError) -> TransportStream {
    while true {
      let (head, ending) = lock.withLock { (state.head, state.ending) }
      if let head { return TransportStream(head, self) }
      switch ending {
      case .failed(let error): throw error
      case .complete: throw TransportError(.malformed, "\(host) sent no head")
      case nil: await wait { $0.head != nil }
      }
    }
  }

  func nextBlock() async throws(TransportError) -> [UInt8]? {
    while true {
      let (block, ending, resume) = lock.withLock { takeBlock() }
      resume?()
      if let block { return block }
      switch ending {
      case .failed(let error): throw error
      case .complete: return nil
      case nil: await wait { $0.first < $0.blocks.count }
      }
    }
  }

  private func takeBlock() -> ([UInt8]?, Ending?, (@Sendable () -> Void)?) {
    guard state.first < state.blocks.count else { return (nil, state.ending, nil) }
    let block = state.blocks[state.first]
    state.blocks[state.first] = []
    state.first += 1
    if state.first == state.blocks.count {
      state.blocks.removeAll(keepingCapacity: true)
      state.first = 0
    }
    state.heldBytes -= block.count
    guard state.heldBytes < Self.readAheadBytes / 2 else { return (block, nil, nil) }
    defer { state.resume = nil }
    return (block, nil, state.resume)
  }

  /// Waits for a condition, or the end.
  private func wait(_ isMet: (State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = lock.withLock {
          if state.ending != nil || isMet(state) { return true }
          state.readers.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      abandon()
    }
  }
}
