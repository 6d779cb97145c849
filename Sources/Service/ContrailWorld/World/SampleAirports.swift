package import ContrailAirportData
import ContrailGeodesy
import ContrailWire

/// Generated airports for recordings and tests: real locations of large airports with fictional runways.
///
/// The airports of a cycle are equal on every machine. From one cycle to the next, a few airports open, close, or
/// change their runway length or magnetic variation.
package enum SampleAirports {
  /// Returns the airport file of a cycle.
  ///
  /// - Throws: `AirportDataError`, which doesn't occur with the built-in table.
  package static func file(of cycle: AIRACCycle) throws(AirportDataError) -> [UInt8] {
    try AirportFile.packed(
      airports(of: cycle), cycle: cycle, sources: [AirportSource(name: "made up", asOf: cycle.effectiveTime)])
  }

  /// Returns the airports of a cycle.
  static func airports(of cycle: AIRACCycle) -> [ContrailAirportData.Airport] {
    Airport.all.enumerated().compactMap { index, place in
      // One in forty is closed, a different one in each cycle.
      if index % 40 == cycle.ordinal % 40 { return nil }
      let draw = Digest.mix(Digest.hash(place.icao.utf8))
      let variation = Double(Int64(draw % 300) - 150) / 10
      return ContrailAirportData.Airport(
        recordID: place.icao, locationID: place.icao, icaoID: place.icao, name: "Field of \(place.icao)",
        dataSource: .ourAirports, coordinate: Coordinate(latitude: place.latitude, longitude: place.longitude),
        elevationMeters: Double(place.elevationFeet) * Runway.metersPerFoot,
        // The variation of one in ten changes.
        variationDegrees: index.isMultiple(of: 10) ? variation + Double(cycle.ordinal % 64) / 64 : variation,
        runways: runways(draw, isLonger: index % 30 == cycle.ordinal % 30))
    }
  }

  /// Returns both directions of one runway.
  private static func runways(_ draw: UInt64, isLonger: Bool) -> [Runway] {
    let number = Int(draw >> 16 % 18) + 1
    let steps = draw >> 32 % 20
    let length = 2500 + Double(steps) * 75 + (isLonger ? 300 : 0)
    return [number, number + 18].map { end in
      let other = end > 18 ? end - 18 : end + 18
      return Runway(
        name: name(end), trueHeadingDegrees: Double(end * 10), lengthMeters: length, widthMeters: 45,
        surface: .asphalt, reciprocalName: name(other))
    }
  }

  private static func name(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
