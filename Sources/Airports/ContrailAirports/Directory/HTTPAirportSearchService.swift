package import ContrailAirportData
package import ContrailGeodesy
package import ContrailHTTP
import ContrailWire
import Foundation

/// The airport directory of a server: `/airports/search` and `/airports/{id}`.
///
/// Responses are small airport files (`AirportFile`).
package struct HTTPAirportSearchService: AirportSearchService {
  /// The maximum number of airports that a server returns.
  package static let maximumCount = 100
  private static let timeoutSeconds = 20
  private static let maximumBodyBytes = 4 << 20

  private let transport: any Transport
  private let headers: @Sendable () -> [(name: String, value: String)]

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - transport: The connection to the server.
  ///   - headers: Returns additional header fields, such as an API key. It is called for each request.
  package init(
    transport: any Transport, headers: @escaping @Sendable () -> [(name: String, value: String)] = { [] }
  ) {
    self.transport = transport
    self.headers = headers
  }

  package func airport(identifier: String) async throws -> Airport? {
    guard !identifier.isEmpty else { return nil }
    return try await airports("/airports/" + Self.encoded(identifier)).first
  }

  package func airports(matching text: String, limit: Int) async throws -> [Airport] {
    guard limit > 0, !text.isEmpty else { return [] }
    let limit = min(limit, Self.maximumCount)
    let code = text.trimmingCharacters(in: .whitespaces)
    // As offline, an airport whose identifier equals the text comes first.
    let exact = (2...8).contains(code.utf8.count) ? try await airport(identifier: code) : nil
    let others = try await airports("/airports/search?limit=\(limit)&text=" + Self.encoded(text))
      .filter { $0.recordID != exact?.recordID }
      .sorted { a, b in
        let (left, right) = (Self.longestMeters(a), Self.longestMeters(b))
        return left == right ? a.recordID < b.recordID : left > right
      }
    return Array(([exact].compactMap(\.self) + others).prefix(limit))
  }

  package func airports(nearest point: Coordinate, count: Int) async throws -> [NearbyAirport] {
    guard count > 0, point.isValid else { return [] }
    let target = "/airports/search?limit=\(min(count, Self.maximumCount))&near=\(point.latitude),\(point.longitude)"
    return try await airports(target)
      .map {
        NearbyAirport(
          airport: $0, distanceNM: point.distanceNM(to: $0.coordinate), azimuth: point.azimuth(to: $0.coordinate))
      }
      .sorted { ($0.distanceNM, $0.airport.recordID) < ($1.distanceNM, $1.airport.recordID) }
  }

  private static func longestMeters(_ airport: Airport) -> Double {
    airport.runways.compactMap(\.lengthMeters).max() ?? -1
  }

  /// Requests airports. The result of 404 is empty.
  private func airports(_ target: String) async throws(AirportTransportError) -> [Airport] {
    let answer: TransportAnswer
    do throws(TransportError) {
      answer = try await transport.send(
        TransportRequest(
          method: "GET", target: target, headers: headers() + [("Accept-Encoding", "identity")],
          timeoutSeconds: Self.timeoutSeconds, maximumBodyBytes: Self.maximumBodyBytes))
    } catch {
      throw AirportTransportError(error)
    }
    switch answer.status {
    case 200: break
    case 404, 410: return []
    default: throw AirportTransportError(.refused, status: answer.status, reason: "the server refused the request")
    }
    do throws(AirportDataError) {
      var reader = try AirportReader(unpacked: answer.body)
      var airports: [Airport] = []
      while let airport = try reader.next() { airports.append(airport) }
      return airports
    } catch {
      throw AirportTransportError(
        .malformed, status: 200, reason: "the response isn't a list of airports: \(error.reason)")
    }
  }

  /// Returns a text with percent encoding, for a path component or a value of a query.
  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
