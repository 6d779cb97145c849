public import Foundation

extension WeatherError: LocalizedError {
  public var errorDescription: String? { description }
  public var recoverySuggestion: String? { advice }
}
