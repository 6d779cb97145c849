/// A connection that lasts as long as this object does.
///
/// `sink` on a ``Future`` or a ``Channel`` returns one. Keep it for as long as you want to hear; cancel it, or let it
/// go, to stop:
///
/// ```swift
/// self.connection = camera.visibleArea.sinkOnMainThread { [weak self] area in self?.show(area) }
/// ```
///
/// No call begins after `cancel()` has returned; one that is running on another thread by then runs to its end. So
/// whoever cancels on the (serial) queue on which they listen, the main thread for one, hears nothing more, whatever
/// was waiting on that queue. Closures and what they capture are released as soon as nothing can call them any more.
///
/// Where Combine is, it is one of Combine's `Cancellable`s too, so that `store(in:)` takes it.
public final class Cancellable: Sendable {
  private let action: Lock<(@Sendable () -> Void)?>

  /// Wraps what is to happen, once, when the connection is cancelled or released.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    action = Lock(onCancel)
  }

  deinit { cancel() }

  /// Ends the connection. Calling it again, from any thread, or from within the closure that listens, does no harm.
  public func cancel() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
