public import ContrailDeferred
public import Foundation

/// The same as futures, whose sinks say on which queue they want the outcome. The work begins at once and is cancelled when nobody can
/// hear of its outcome any more. Errors are ``WeatherError``.
///
/// ```
/// connection = request.weather().sinkOnMainThread(
///   receiveValue: { show($0.response, from: $0.source) }, failure: { show($0) })
/// ```
extension WeatherRequest {
  /// As ``perform()``.
  public func weather() -> Future<WeatherAnswer> {
    Future { try await self.perform() }
  }

  /// As ``perform(from:)``.
  public func weather(from dataSource: DataSource) -> Future<WeatherAnswer> {
    Future { try await self.perform(from: dataSource) }
  }

  /// As ``fetchData(from:)``.
  public func data(from dataSource: DataSource) -> Future<Data> {
    Future { try await self.fetchData(from: dataSource) }
  }

  /// As ``fetchExampleData()``.
  public func exampleData() -> Future<Data> {
    Future { try await self.fetchExampleData() }
  }

  /// As ``decode(_:)``.
  public func decoded(_ data: Data) -> Future<WeatherResponse> {
    Future { try await self.run(on: self.queue) { () throws(WeatherError) in try self.decode(data) } }
  }
}
