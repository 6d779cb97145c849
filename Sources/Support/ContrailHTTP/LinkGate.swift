package import ContrailWire

/// A switch for the link: while it is closed, nothing is sent or received through it.
package final class LinkGate: Sendable {
  private struct Passage {
    var isOpen: Bool
    var cancels: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }

  private let passage: Lock<Passage>

  /// The error of a request that the gate refused or ended.
  package static let error = TransportError(.network, "the client is offline")

  package init(isOpen: Bool = true) {
    passage = Lock(Passage(isOpen: isOpen))
  }

  /// Opens or closes the gate. Closing cancels what is under way.
  package func set(isOpen: Bool) {
    let cancels = passage.withLock { passage in
      passage.isOpen = isOpen
      guard !isOpen else { return [:] as [Int: @Sendable () -> Void] }
      defer { passage.cancels = [:] }
      return passage.cancels
    }
    cancels.values.forEach { $0() }
  }

  var mayPass: Bool { passage.withLock { $0.isOpen } }

  /// Adds a closure that is called when the gate closes.
  ///
  /// - Returns: Its number; nil if the gate is closed.
  func add(_ cancel: @escaping @Sendable () -> Void) -> Int? {
    passage.withLock { passage in
      guard passage.isOpen else { return nil }
      passage.next += 1
      passage.cancels[passage.next] = cancel
      return passage.next
    }
  }

  func remove(_ number: Int) {
    // Released outside.
    _ = passage.withLock { $0.cancels.removeValue(forKey: number) }
  }

  /// Runs an operation that is cancelled when the gate closes.
  ///
  /// - Throws: ``error`` if the gate is closed or closes, otherwise the operation's error.
  package func run<T: Sendable>(_ operation: @escaping @Sendable () async throws -> T) async throws -> T {
    // The gate lets it pass before it begins.
    let begun = Lock<Task<T, any Error>?>(nil)
    guard let number = add({ begun.withLock { $0 }?.cancel() }) else { throw Self.error }
    defer { remove(number) }
    let task = Task { try await operation() }
    begun.withLock { $0 = task }
    if !mayPass { task.cancel() }
    return try await withTaskCancellationHandler {
      do {
        return try await task.value
      } catch {
        throw mayPass || Task.isCancelled ? error : Self.error
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// A transport whose requests and answers end when a gate closes.
package struct GatedTransport: ClosableTransport {
  private let transport: any ClosableTransport
  private let gate: LinkGate
  private let endsRequests: Bool

  /// - Parameter endsRequests: Whether requests end when the gate closes; otherwise their owner cancels them, and only new ones fail.
  package init(_ transport: any ClosableTransport, _ gate: LinkGate, endsRequests: Bool = true) {
    self.transport = transport
    self.gate = gate
    self.endsRequests = endsRequests
  }

  package var isSecure: Bool { transport.isSecure }

  package func headBytes(of request: TransportRequest) -> Int { transport.headBytes(of: request) }

  package func shutdown() async { await transport.shutdown() }

  package func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
    try await open(request).collected()
  }

  package func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
    let transport = transport
    guard endsRequests else {
      guard gate.mayPass else { throw LinkGate.error }
      return try await transport.open(request)
    }
    let stream: TransportStream
    do {
      stream = try await gate.run { try await transport.open(request) }
    } catch {
      throw error as? TransportError ?? TransportError(.cancelled, "the request was cancelled")
    }
    guard let number = gate.add({ [weak body = stream.body] in body?.fail(LinkGate.error) }) else {
      throw LinkGate.error
    }
    stream.body.onRelease { [gate] in gate.remove(number) }
    return stream
  }
}
