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

extension RingError: LocalizedError {
  public var errorDescription: String? { description }
}

extension PolygonError: LocalizedError {
  public var errorDescription: String? { description }
}

extension BoundingBoxError: LocalizedError {
  public var errorDescription: String? { description }
}

extension BufferError: LocalizedError {
  public var errorDescription: String? { description }
}
