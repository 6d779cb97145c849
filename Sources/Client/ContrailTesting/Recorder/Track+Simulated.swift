package import ContrailGeodesy
package import ContrailLog

extension Track {
  /// Creates a simulated flight along great circles with one fix per minute.
  ///
  /// The flight climbs and descends at 1,500 feet per minute and has a constant ground speed. It is meant for
  /// scenarios, not for performance calculations.
  ///
  /// - Parameters:
  ///   - line: The points of the route, at least two.
  ///   - departure: The departure time in milliseconds since 1970.
  ///   - knots: The ground speed.
  ///   - cruiseFeet: The cruising altitude.
  /// - Throws: ``InputError`` if the line has no length or the speed is out of range.
  package init(
    flying line: [Coordinate], departure: Int64, knots: Double = 480, cruiseFeet: Double = 37_000
  ) throws(InputError) {
    guard line.count >= 2, line.allSatisfy(\.isValid), knots >= 1, knots <= Track.fastestKnots else {
      throw InputError(.track, "a flight needs at least two valid points and a speed of 1 to 1,200 knots")
    }
    let lengthNM = line.lengthNM
    let minutes = Int((lengthNM / knots * 60).rounded(.up))
    guard lengthNM > 0, minutes <= 60 * 48 else {
      throw InputError(.track, "the length of a flight must be greater than zero, and its duration at most two days")
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
