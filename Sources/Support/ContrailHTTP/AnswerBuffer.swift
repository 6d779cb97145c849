import ContrailWire

/// A response that passes from the platform's HTTP client to its reader.
///
/// The buffer enforces the limits of the request on all platforms: the total deadline, the size of the received body,
/// and how far the client may read ahead of the reader.
final class AnswerBuffer: Sendable {
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
    /// The index of the first unread block.
    var first = 0
    var heldBytes = 0
    var receivedBytes = 0
    var ending: Ending?
    var readers: [CheckedContinuation<Void, Never>] = []
    /// Resumes reading in the client.
    var resume: (@Sendable () -> Void)?
    /// Cancels the request in the client.
    var cancel: (@Sendable (TransportError) -> Void)?
    var deadline: Task<Void, Never>?

    mutating func end(_ ending: Ending) -> Calls {
      guard self.ending == nil else { return Calls() }
      self.ending = ending
      var calls = wakeReaders()
      if case .failed(let error) = ending, let cancel { calls.cancel = { cancel(error) } }
      (calls.resume, calls.deadline) = (resume, deadline)
      (resume, cancel, deadline) = (nil, nil, nil)
      return calls
    }

    mutating func wakeReaders() -> Calls {
      defer { readers = [] }
      return Calls(readers: readers)
    }

    mutating func takeBlock() -> ([UInt8]?, Ending?, (@Sendable () -> Void)?) {
      guard first < blocks.count else { return (nil, ending, nil) }
      let block = blocks[first]
      blocks[first] = []
      first += 1
      if first == blocks.count {
        blocks.removeAll(keepingCapacity: true)
        first = 0
      }
      heldBytes -= block.count
      guard heldBytes < readAheadBytes / 2 else { return (block, nil, nil) }
      defer { resume = nil }
      return (block, nil, resume)
    }
  }

  /// Closures to call after the lock is released.
  private struct Calls {
    var cancel: (() -> Void)?
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

  /// The number of unread bytes above which the client stops reading.
  private static let readAheadBytes = 256 << 10
  private static let maximumTimeoutSeconds = 86_400

  private let host: String
  private let maximumBodyBytes: Int
  private let state: Lock<State>

  /// Creates an empty buffer and starts the deadline.
  init(_ request: TransportRequest, host: String) {
    self.host = host
    maximumBodyBytes = request.maximumBodyBytes
    let seconds = min(max(request.timeoutSeconds, 0), Self.maximumTimeoutSeconds)
    state = Lock(State())
    let deadline = Task { [weak self] in
      do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      self?.fail(TransportError(.timeout, "\(host) sent no complete response within \(seconds) s"))
    }
    state.withLock { $0.deadline = deadline }
  }

  /// Creates a buffer with a complete body.
  init(_ body: [UInt8]) {
    host = ""
    maximumBodyBytes = .max
    state = Lock(State(blocks: body.isEmpty ? [] : [body], heldBytes: body.count, ending: .complete))
  }

  // MARK: Writing

  /// Sets the closure that cancels the client's request, for a reason. It is called immediately if the response has already
  /// failed.
  func onCancel(_ cancel: @escaping @Sendable (TransportError) -> Void) {
    let reason: TransportError? = state.withLock { state in
      switch state.ending {
      case nil: state.cancel = cancel
      case .complete: break
      case .failed(let error): return error
      }
      return nil
    }
    if let reason { cancel(reason) }
  }

  /// Stores the response head. Fails if the announced body is too large.
  func receive(_ head: Head, hasBody: Bool) {
    guard (100...599).contains(head.status) else {
      return fail(TransportError(.malformed, "\(host) sent the invalid status \(head.status)"))
    }
    if hasBody, let length = head.headers.value("Content-Length").flatMap({ Int($0) }), length > maximumBodyBytes {
      return fail(.tooLarge("\(host) announced a body of \(length) bytes; the limit is \(maximumBodyBytes)"))
    }
    let calls = state.withLock { state in
      if state.ending == nil, state.head == nil { state.head = head }
      return state.wakeReaders()
    }
    calls.make()
  }

  /// Adds a block of the body.
  ///
  /// - Parameters:
  ///   - block: The bytes.
  ///   - resume: A closure that is called once when the reader has caught up or the response has ended.
  /// - Returns: Whether the client can continue immediately. `resume` is then not called.
  func receive(_ block: [UInt8], resume: @escaping @Sendable () -> Void) -> Bool {
    let (goesOn, calls) = state.withLock { state -> (Bool, Calls) in
      guard state.ending == nil, !block.isEmpty else { return (true, Calls()) }
      guard block.count <= maximumBodyBytes - state.receivedBytes else {
        return (true, state.end(.failed(.tooLarge("the response of \(host) has more than \(maximumBodyBytes) bytes"))))
      }
      state.receivedBytes += block.count
      state.heldBytes += block.count
      state.blocks.append(block)
      let goesOn = state.heldBytes < Self.readAheadBytes
      if !goesOn { state.resume = resume }
      return (goesOn, state.wakeReaders())
    }
    calls.make()
    return goesOn
  }

  /// Completes the response.
  func finish() {
    state.withLock { $0.end(.complete) }.make()
  }

  /// Ends the response with an error and cancels the client's request. Only the first ending counts.
  func fail(_ error: TransportError) {
    state.withLock { $0.end(.failed(error)) }.make()
  }

  /// Ends the response because its reader was released.
  func abandon() { fail(.cancelled(host)) }

  // MARK: Reading

  /// Returns the response head with a stream of the body.
  func stream() async throws(TransportError) -> TransportStream {
    while true {
      let (head, ending) = state.withLock { ($0.head, $0.ending) }
      if let head { return TransportStream(head, self) }
      switch ending {
      case .failed(let error): throw error
      case .complete: throw TransportError(.malformed, "\(host) sent no response head")
      case nil: await wait { $0.head != nil }
      }
    }
  }

  func nextBlock() async throws(TransportError) -> [UInt8]? {
    while true {
      let (block, ending, resume) = state.withLock { $0.takeBlock() }
      resume?()
      if let block { return block }
      switch ending {
      case .failed(let error): throw error
      case .complete: return nil
      case nil: await wait { $0.first < $0.blocks.count }
      }
    }
  }

  /// Waits until a condition is met or the response ends.
  private func wait(_ isMet: (State) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
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
