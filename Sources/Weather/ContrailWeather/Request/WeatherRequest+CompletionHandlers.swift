public import Foundation

/// Methods with completion handlers.
///
/// Each method calls its handler once, on ``WeatherRequest/queue``. The returned task can be cancelled; the handler is
/// then called as well.
extension WeatherRequest {
  /// Calls ``perform()``, and the handler with its result.
  ///
  /// The handler receives the weather and its origin, or the error and the last source.
  @discardableResult
  public func perform(
    completionHandler: @escaping @Sendable (WeatherResponse?, DataSource, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    // An error of the stored response leads to a request to the service, so errors always come from there.
    deliver(errorsFrom: .remote, completionHandler) { () async throws(WeatherError) in try await self.perform() }
  }

  /// Calls ``perform(from:)``, and the handler with its result.
  @discardableResult
  public func perform(
    from dataSource: DataSource,
    completionHandler: @escaping @Sendable (WeatherResponse?, DataSource, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    deliver(errorsFrom: dataSource, completionHandler) { () async throws(WeatherError) in
      try await self.perform(from: dataSource)
    }
  }

  /// Calls ``fetchData(from:)``, and the handler with its result.
  @discardableResult
  public func fetchData(
    from dataSource: DataSource, completionHandler: @escaping @Sendable (Data?, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    deliver(completionHandler) { () async throws(WeatherError) in try await self.fetchData(from: dataSource) }
  }

  /// Calls ``fetchExampleData()``, and the handler with its result.
  @discardableResult
  public func fetchExampleData(
    completionHandler: @escaping @Sendable (Data?, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    deliver(completionHandler) { () async throws(WeatherError) in try await self.fetchExampleData() }
  }

  /// Calls ``decode(_:)``, and the handler with its result.
  @discardableResult
  public func decode(
    _ data: Data, completionHandler: @escaping @Sendable (WeatherResponse?, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    let queue = queue
    return deliver(completionHandler) { () async throws(WeatherError) in
      try await self.run(on: queue) { () throws(WeatherError) in try self.decode(data) }
    }
  }

  private func deliver(
    errorsFrom source: DataSource,
    _ handler: @escaping @Sendable (WeatherResponse?, DataSource, WeatherError?) -> Void,
    _ work: @escaping @Sendable () async throws(WeatherError) -> WeatherAnswer
  ) -> Task<Void, Never> {
    deliver({ answer, error in handler(answer?.response, answer?.source ?? source, error) }, work)
  }

  private func deliver<Value: Sendable>(
    _ handler: @escaping @Sendable (Value?, WeatherError?) -> Void,
    _ work: @escaping @Sendable () async throws(WeatherError) -> Value
  ) -> Task<Void, Never> {
    let queue = queue
    return Task {
      do throws(WeatherError) {
        let value = try await work()
        queue.async { handler(value, nil) }
      } catch {
        queue.async { handler(nil, error) }
      }
    }
  }
}
