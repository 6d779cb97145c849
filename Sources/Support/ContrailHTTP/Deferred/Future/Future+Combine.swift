#if canImport(Combine)
  public import Combine
#elseif OpenCombine
  public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// A connection can be stored with Combine's `store(in:)`.
  extension Cancellable: CombineCancellable {}

  extension Future {
    /// Returns a Combine future with the same result, delivered on the completing thread. Use `receive(on:)` as needed.
    ///
    /// Combine's `Future` can't be cancelled: once it exists, the work runs to its end, with or without listeners. If
    /// that matters, use ``sink(receiveValue:failure:)``; `store(in:)` accepts its result as well.
    public func asCombineFuture() -> CombineFuture<Value, any Error> {
      CombineFuture { promise in
        let fulfil = Fulfil(promise: promise)
        // Added without a `Cancellable`, so that future and sink retain each other until the result.
        self.add(FutureSink(self, on: nil) { fulfil.promise($0) })
      }
    }
  }

  /// Combine's promise may be called on any thread, although its type isn't `Sendable`. Called once.
  private struct Fulfil<Value, Failure: Error>: @unchecked Sendable {
    let promise: (Result<Value, Failure>) -> Void
  }
#endif
