public import ContrailEngine
public import ContrailGeodesy
public import ContrailQuery
public import Foundation

// For alerts: `localizedDescription` states the error, and `recoverySuggestion` what to do.

extension ClientError: LocalizedError {
  public var errorDescription: String? { message }
  public var recoverySuggestion: String? { advice }
}

extension QueryError: LocalizedError {
  public var errorDescription: String? { description }
}

extension GeodesyError: LocalizedError {
  public var errorDescription: String? { description }
}
