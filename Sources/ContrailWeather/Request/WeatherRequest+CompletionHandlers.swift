public import Foundation

/// Each of these calls its handler once, on ``WeatherRequest/queue``. The task that they return can be cancelled; the
/// handler is called then too.
extension WeatherRequest {
  /// As ``perform()``: calls with the weather and where it is from, or with the error and where it was last asked for.
  @discardableResult
  public func perform(
    completionHandler: @escaping @Sendable (WeatherResponse?, DataSource, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    // What is stored never fails the automatic choice: then the service is asked.
    deliver(errorsFrom: .remote, completionHandler) { () async throws(WeatherError) in try await self.perform() }
  }

  /// As ``perform(from:)``.
  @discardableResult
  public func perform(
    from dataSource: DataSource,
    completionHandler: @escaping @Sendable (WeatherResponse?, DataSource, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    deliver(errorsFrom: dataSource, completionHandler) { () async throws(WeatherError) in
      try await self.perform(from: dataSource)
    }
  }

  /// As ``fetchData(from:)``.
  @discardableResult
  public func fetchData(
    from dataSource: DataSource, completionHandler: @escaping @Sendable (Data?, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    deliver(completionHandler) { () async throws(WeatherError) in try await self.fetchData(from: dataSource) }
  }

  /// As ``fetchExampleData()``.
  @discardableResult
  public func fetchExampleData(
    completionHandler: @escaping @Sendable (Data?, WeatherError?) -> Void
  ) -> Task<Void, Never> {
    deliver(completionHandler) { () async throws(WeatherError) in try await self.fetchExampleData() }
  }

  /// As ``decode(_:)``.
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
