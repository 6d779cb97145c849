#if canImport(Combine)
  public import Combine
#elseif canImport(OpenCombine)
  public import OpenCombine
#endif

#if canImport(Combine) || canImport(OpenCombine)
  /// `store(in:)` takes a connection as it takes one of Combine's.
  extension Cancellable: CombineCancellable {}

  extension Future {
    /// The same outcome as one of Combine's futures, delivered on the completing thread: `receive(on:)` as needed.
    ///
    /// Combine's `Future` can't be cancelled: once asked for, the work goes on to its end, whether or not anybody
    /// listens. Where that matters, use ``sink(receiveValue:failure:)``, whose result `store(in:)` takes as well.
    public func asCombineFuture() -> CombineFuture<Value, any Error> {
      CombineFuture { promise in
        let fulfil = Fulfil(promise: promise)
        // Added without a `Cancellable`, so that future and sink keep each other until the outcome.
        self.add(FutureSink(self, on: nil) { fulfil.promise($0) })
      }
    }
  }

  /// Combine's promise may be called from any thread, but its type doesn't say so. Called once.
  private struct Fulfil<Value, Failure: Error>: @unchecked Sendable {
    let promise: (Result<Value, Failure>) -> Void
  }
#endif
