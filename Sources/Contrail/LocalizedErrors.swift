public import ContrailEngine
public import ContrailGeodesy
public import ContrailQuery
public import Foundation

// What an alert shows: `localizedDescription` says what happened, `localizedRecoverySuggestion` what to do.

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
