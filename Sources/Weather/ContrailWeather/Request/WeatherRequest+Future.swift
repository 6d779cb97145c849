public import ContrailHTTP
public import Foundation

/// Methods that return futures.
///
/// The queue for the result is chosen when listening. The work starts at once, and is cancelled when the future has no
/// listeners or references left. Errors are ``WeatherError``.
///
/// ```
/// connection = request.weather().sinkOnMainThread(
///   receiveValue: { show($0.response, from: $0.source) }, failure: { show($0) })
/// ```
extension WeatherRequest {
  /// Returns a future of ``perform()``.
  public func weather() -> Future<WeatherAnswer> {
    Future { try await self.perform() }
  }

  /// Returns a future of ``perform(from:)``.
  public func weather(from dataSource: DataSource) -> Future<WeatherAnswer> {
    Future { try await self.perform(from: dataSource) }
  }

  /// Returns a future of ``fetchData(from:)``.
  public func data(from dataSource: DataSource) -> Future<Data> {
    Future { try await self.fetchData(from: dataSource) }
  }

  /// Returns a future of ``fetchExampleData()``.
  public func exampleData() -> Future<Data> {
    Future { try await self.fetchExampleData() }
  }

  /// Returns a future of ``decode(_:)``.
  public func decoded(_ data: Data) -> Future<WeatherResponse> {
    Future { try await self.run(on: self.queue) { () throws(WeatherError) in try self.decode(data) } }
  }
}
