import Dispatch
import Foundation

/// Runs a cleanup when the process receives `SIGINT`, `SIGTERM` or `SIGHUP`, then lets the signal end the process.
///
/// The handlers are installed for the lifetime of this value.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Installs the signal handlers.
  ///
  /// - Parameter cleanUp: The cleanup, called once on another thread before the signal ends the process.
  init(_ cleanUp: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "contrail.interruption")
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        cleanUp()
        // The parent process must see that the signal ended this one. Dispatch blocks signals on its threads.
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
      }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }
}
