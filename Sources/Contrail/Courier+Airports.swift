import ContrailAirportData
import ContrailAirports
public import ContrailCore
import ContrailWire

extension Courier {
  /// Where the server lists the cycles that it has.
  private static let cyclesPath = "/airports/v1/cycles"

  /// Asks for something about airports, which no decision has asked for.
  private func ask(_ target: String) async -> Outcome {
    await carry(OutgoingRequest(number: 0, scope: .airports, mode: nil, method: .get, target: target))
  }

  /// Which cycles the server has; nil where it didn't say.
  public func airportOffers() async -> [AirportOffer]? {
    guard case .answered(let answer) = await ask(Self.cyclesPath), answer.response.status == 200 else { return nil }
    return answer.body.withUnsafeBytes { bytes in
      var json = JSONReader(bytes)
      do throws(JSONFault) { return try json.airportOffers() } catch { return nil }
    }
  }

  /// Asks for the file of a cycle, whole.
  public func airportFile(_ edition: AirportEdition) async -> Outcome {
    await ask(HTTPAirportTransport.path + edition.cycle)
  }
}

extension JSONReader {
  /// Reads the server's list of cycles; what isn't known of it is passed over.
  fileprivate mutating func airportOffers() throws(JSONFault) -> [AirportOffer] {
    var offers: [AirportOffer] = []
    try object { (key, json) throws(JSONFault) in
      guard case "data" = key else {
        try json.skipValue()
        return
      }
      try json.object { (key, json) throws(JSONFault) in
        switch key {
        case "cycles":
          try json.array { (json) throws(JSONFault) in
            if let offer = try json.airportOffer() { offers.append(offer) }
          }
        default: try json.skipValue()
        }
      }
    }
    return offers
  }

  private mutating func airportOffer() throws(JSONFault) -> AirportOffer? {
    var cycle: AIRACCycle?
    var sha256: String?
    var byteCount: Int?
    try object { (key, json) throws(JSONFault) in
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
