package import ContrailMessages
import Foundation

/// A switch for the link: while it is closed, nothing is sent or received through it.
package final class LinkGate: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private var isOpen: Bool
  private var cancels: [Int: @Sendable () -> Void] = [:]
  private var next = 0

  /// The error of a request that the gate refused or ended.
  package static let error = TransportError(.network, "the client is offline")

  package init(isOpen: Bool = true) {
    self.isOpen = isOpen
  }

  /// Opens or closes the gate. Closing cancels what is under way.
  package func set(isOpen: Bool) {
    let cancels = lock.withLock {
      self.isOpen = isOpen
      guard !isOpen else { return [:] as [Int: @Sendable () -> Void] }
      defer { self.cancels = [:] }
      return self.cancels
    }
    cancels.values.forEach { $0() }
  }

  var mayPass: Bool { lock.withLock { isOpen } }

  /// Adds a closure that is called when the gate closes.
  ///
  /// - Returns: Its number; nil if the gate is closed.
  func add(_ cancel: @escaping @Sendable () -> Void) -> Int? {
    lock.withLock {
      guard isOpen else { return nil }
      next += 1
      cancels[next] = cancel
      return next
    }
  }

  func remove(_ number: Int) { lock.withLock { cancels[number] = nil } }

  /// Runs an operation that is cancelled when the gate closes.
  ///
  /// - Throws: ``error`` if the gate is closed or closes, otherwise the operation's error.
  package func run<T: Sendable>(_ operation: @escaping @Sendable () async throws -> T) async throws -> T {
    let task = Task {
      try Task.checkCancellation()
      return try await operation()
    }
    guard let number = add({ task.cancel() }) else {
      task.cancel()
      throw Self.error
    }
    defer { remove(number) }
    return try await withTaskCancellationHandler {
      do {
        return try await task.value
      } catch {
        throw lock.withLock({ isOpen }) || Task.isCancelled ? error : Self.error
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
