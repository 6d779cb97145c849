import Dispatch

/// Lets one thread in at a time.
struct Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  func within<T>(_ body: () -> T) -> T {
    semaphore.wait()
    defer { semaphore.signal() }
    return body()
  }
}
