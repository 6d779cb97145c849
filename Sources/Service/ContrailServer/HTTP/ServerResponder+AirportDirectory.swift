import ContrailAirportData
import ContrailGeodesy
import ContrailWire
import Foundation
import Hummingbird

extension ServerResponder {
  /// Returns the airports that match words or are near a point.
  func airportSearch(_ request: Request, now: Int64) async throws(ServiceError) -> Reply {
    let parameters = request.uri.queryParameters
    let limit = parameters["limit"].map { Int($0) ?? 0 } ?? 25
    guard (1...AirportDirectory.maximumCount).contains(limit) else {
      throw ServiceError(
        status: 400, code: "LIMIT_OUT_OF_RANGE", message: "limit must be from 1 to \(AirportDirectory.maximumCount)")
    }
    if let near = parameters["near"] {
      let numbers = near.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      let point = Coordinate(latitude: numbers.first ?? .nan, longitude: numbers.last ?? .nan)
      guard numbers.count == 2, point.isValid else {
        throw ServiceError(
          status: 400, code: "PLACE_INVALID", message: "near must be latitude and longitude, such as 51.47,-0.46")
      }
      let contents = try await contents(now: now)
      return try list(contents.airports(nearest: point, limit: limit), of: contents)
    }
    guard let text = parameters["text"] else {
      throw ServiceError(status: 400, code: "QUERY_MISSING", message: "text or near must be given")
    }
    let contents = try await contents(now: now)
    return try list(contents.airports(matching: String(text), limit: limit), of: contents)
  }

  /// Returns the airport with an identifier.
  func airport(_ request: Request, now: Int64) async throws(ServiceError) -> Reply {
    let given = Route.airport.parameter(of: request.uri.path) ?? ""
    let contents = try await contents(now: now)
    guard let airport = contents.airport(identifier: given.removingPercentEncoding ?? given) else {
      throw ServiceError(status: 404, code: "AIRPORT_UNKNOWN", message: "no airport has this identifier")
    }
    return try list([airport], of: contents)
  }

  private func contents(now: Int64) async throws(ServiceError) -> AirportDirectory.Contents {
    guard let contents = await directory.contents(at: now) else {
      throw ServiceError(status: 503, code: "NO_AIRPORTS", message: "the server has no airports")
    }
    return contents
  }

  /// A response in the format of an airport file, which keeps every number exactly.
  private func list(
    _ airports: [ContrailAirportData.Airport], of contents: AirportDirectory.Contents
  ) throws(ServiceError) -> Reply {
    do throws(AirportDataError) {
      let bytes = try AirportFile.encoded(
        airports, cycle: contents.header.cycle, sources: contents.header.sources)
      return Reply(type: "application/x-contrail-airports", body: bytes)
    } catch {
      throw ServiceError(status: 503, code: "NO_AIRPORTS", message: "the airports of the server can't be sent")
    }
  }
}
