public import ContrailGeodesy

extension Track {
  /// A flight that nobody flew: along great circles from point to point, a fix a minute.
  ///
  /// It climbs and descends at 1,500 feet a minute, and its ground speed is steady: a flight for scenarios, not for performance.
  ///
  /// - Parameters:
  ///   - line: The points of the route, at least two.
  ///   - departure: Milliseconds since 1970.
  ///   - knots: The ground speed.
  ///   - cruiseFeet: The altitude between climb and descent.
  /// - Throws: ``TrackFault`` for a line without length, or a speed of none.
  public init(
    flying line: [Coordinate], departure: Int64, knots: Double = 480, cruiseFeet: Double = 37_000
  ) throws(TrackFault) {
    guard line.count >= 2, line.allSatisfy(\.isValid), knots >= 1, knots <= Track.fastestKnots else {
      throw TrackFault(line: 0, reason: "a flight needs two points on the earth or more, and 1 to 1,200 knots")
    }
    let lengthNM = line.lengthNM
    let minutes = Int((lengthNM / knots * 60).rounded(.up))
    guard lengthNM > 0, minutes <= 60 * 48 else {
      throw TrackFault(line: 0, reason: "a flight must be longer than nothing and shorter than two days")
    }
    let feetAMinute = 1500.0
    fixes = (0...minutes).map { minute in
      let fraction = min(Double(minute) * knots / 60 / lengthNM, 1)
      let climbed = Double(min(minute, minutes - minute)) * feetAMinute
      return Fix(
        at: departure + Int64(minute) * 60_000, position: line.interpolated(fraction: fraction) ?? line[0],
        altitudeFeet: min(climbed, cruiseFeet), groundSpeedKnots: knots, trackDegrees: nil)
    }
    rejects = Rejects()
    rejects.longestGapMS = 60_000
  }
}
