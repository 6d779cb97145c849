#if Online
  import Dispatch
  import Foundation

  /// Cleans up when the process is told to end, and ends it then.
  ///
  /// It holds for as long as the value is kept.
  final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter cleanUp: Called once, on another thread, before the process ends by the signal.
    init(_ cleanUp: @escaping @Sendable () -> Void) {
      let queue = DispatchQueue(label: "contrail.interruption")
      sources = [SIGINT, SIGTERM, SIGHUP].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
          cleanUp()
          // The parent is to see that the signal ended it; dispatch's threads block signals.
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
#endif
