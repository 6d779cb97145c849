import Contrail
import ContrailAirportData
import ContrailCore
import ContrailEngine
import ContrailWire

extension RequestSender {
  /// The path of the airport files on the server.
  private static let airportsPath = "/airports/v1/"

  /// Requests an airport resource, for which there is no decision.
  private func fetch(_ name: String, _ credentials: Credentials) async -> RequestResult {
    await send(
      OutgoingRequest(number: 0, scope: .airports, mode: nil, method: .get, target: Self.airportsPath + name),
      with: credentials)
  }

  /// Returns the cycles that the server has; nil if the request fails.
  func airportOffers(with credentials: Credentials) async -> [AirportOffer]? {
    guard case .answered(let response) = await fetch("cycles", credentials), response.status == 200 else {
      return nil
    }
    return response.body.bytes.withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      do throws(JSONError) { return try json.airportOffers() } catch { return nil }
    }
  }

  /// Fetches the complete file of a cycle.
  func airportFile(_ edition: AirportEdition, with credentials: Credentials) async -> RequestResult {
    await fetch(edition.cycle, credentials)
  }
}

extension JSONReader {
  /// Reads the server's list of cycles. Unknown members are skipped.
  fileprivate mutating func airportOffers() throws(JSONError) -> [AirportOffer] {
    var offers: [AirportOffer] = []
    try data { (key, json) throws(JSONError) in
      guard case "cycles" = key else { return _ = try json.skipValue() }
      try json.array { (json) throws(JSONError) in
        if let offer = try json.airportOffer() { offers.append(offer) }
      }
    }
    return offers
  }

  private mutating func airportOffer() throws(JSONError) -> AirportOffer? {
    var cycle: AIRACCycle?
    var sha256: String?
    var byteCount: Int?
    try object { (key, json) throws(JSONError) in
      switch key {
      case "cycle": cycle = AIRACCycle(identifier: try json.string())
      case "sha256": sha256 = try json.string()
      case "size": byteCount = try json.integer(in: 0...Int.max)
      default: try json.skipValue()
      }
    }
    guard let cycle, let sha256, let byteCount else { return nil }
    return AirportOffer(edition: AirportEdition(cycle), file: BlobName(sha256: sha256, byteCount: byteCount))
  }
}
