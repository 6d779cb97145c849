/// A connection that lasts as long as this object.
///
/// `sink` on a ``Future`` or a ``Channel`` returns one. Keep it as long as you want to receive values. To stop, cancel
/// or release it:
///
/// ```swift
/// self.connection = camera.visibleArea.sinkOnMainThread { [weak self] area in self?.show(area) }
/// ```
///
/// After `cancel()` returns, no new call starts; a call that is running on another thread completes. If you cancel on
/// the serial queue on which you receive, such as the main queue, you receive nothing more, even if calls were already
/// enqueued. Closures and their captured values are released as soon as nothing can call them.
///
/// If Combine is available, this class conforms to Combine's `Cancellable`, for use with `store(in:)`.
public final class Cancellable: Sendable {
  private let action: Lock<(@Sendable () -> Void)?>

  /// Creates a connection with an action that runs once, when the connection is cancelled or released.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    action = Lock(onCancel)
  }

  deinit { cancel() }

  /// Ends the connection. Repeated calls are allowed, from any thread and from within the receiving closure.
  public func cancel() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
