#if Online
  public import ContrailAirportData
  import ContrailGeodesy
  import ContrailWire

  /// Airports that are made up, for recordings and tests: the places of the simulated world's airports, with runways that nobody built.
  ///
  /// A cycle's are the same on every machine. From one cycle to the next a few open, close, get a longer runway, or another variation.
  public enum SampleAirports {
    /// The file of a cycle, in the compact form.
    ///
    /// - Throws: `AirportDataError`, never for the table that there is.
    public static func file(of cycle: AIRACCycle) throws(AirportDataError) -> [UInt8] {
      try AirportFile.packed(
        airports(of: cycle), cycle: cycle, sources: [AirportSource(name: "made up", asOf: cycle.effectiveTime)])
    }

    /// The airports of a cycle.
    static func airports(of cycle: AIRACCycle) -> [ContrailAirportData.Airport] {
      Airport.all.enumerated().compactMap { index, place in
        // One in forty is closed, each time others.
        if index % 40 == cycle.ordinal % 40 { return nil }
        let draw = Digest.mix(Digest.hash(place.icao.utf8))
        let variation = Double(Int64(draw % 300) - 150) / 10
        return ContrailAirportData.Airport(
          recordID: place.icao, locationID: place.icao, icaoID: place.icao, name: "Field of \(place.icao)",
          dataSource: .ourAirports, coordinate: Coordinate(latitude: place.latitude, longitude: place.longitude),
          elevationMeters: Double(place.elevationFeet) * Runway.metersPerFoot,
          // One in ten drifts.
          variationDegrees: index.isMultiple(of: 10) ? variation + Double(cycle.ordinal % 64) / 64 : variation,
          runways: runways(draw, isLonger: index % 30 == cycle.ordinal % 30))
      }
    }

    /// Both directions of one runway.
    private static func runways(_ draw: UInt64, isLonger: Bool) -> [Runway] {
      let number = Int(draw >> 16 % 18) + 1
      let length = Double(2500 + draw >> 32 % 20 * 75 + (isLonger ? 300 : 0))
      return [number, number + 18].map { end in
        let other = end > 18 ? end - 18 : end + 18
        return Runway(
          name: name(end), trueHeadingDegrees: Double(end * 10), lengthMeters: length, widthMeters: 45,
          surface: .asphalt, reciprocalName: name(other))
      }
    }

    private static func name(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }
#endif
