public import Foundation

extension AirportLoaderError: LocalizedError {
  public var errorDescription: String? { description }
}

extension AirportStoreError: LocalizedError {
  public var errorDescription: String? { description }
  public var recoverySuggestion: String? { advice }
}
