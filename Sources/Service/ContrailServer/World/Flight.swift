/// A flight of an aircraft with its position between take-off and landing.
struct Flight: Sendable {
  /// The index of the aircraft in the world.
  let tail: Int
  /// The time of departure in seconds since 1970.
  let departure: Int64
  private let circle: GreatCircle
  private let profile: Profile

  init(tail: Int, departure: Int64, circle: GreatCircle, profile: Profile) {
    self.tail = tail
    self.departure = departure
    self.circle = circle
    self.profile = profile
  }

  /// The time of landing in seconds since 1970.
  var arrival: Int64 { departure + Int64(profile.duration) }

  /// Returns the position at a time after take-off, as a direction from the earth's centre and an altitude in feet.
  func position(after seconds: Double) -> (direction: SIMD3<Double>, feet: Double) {
    (circle.direction(atNM: profile.distanceNM(after: seconds)), profile.feet(after: seconds))
  }

  /// Returns the course in degrees from true north and the speed in knots at a time after take-off.
  func movement(after seconds: Double) -> (course: Double, knots: Double) {
    (circle.courseDegrees(atNM: profile.distanceNM(after: seconds)), profile.knots(after: seconds))
  }
}

extension Flight {
  /// The altitude and speed of a flight over time: climb, cruise at one or two levels, descent.
  struct Profile: Sendable {
    /// The time from take-off to landing in seconds.
    let duration: Double
    private let origin: Double
    private let destination: Double
    private let initialFeet: Double
    private let finalFeet: Double
    private let climbEnd: Double
    private let stepStart: Double
    private let descentStart: Double
    private let cruiseKnots: Double

    private static let climbFeetPerSecond = 1900.0 / 60
    private static let descentFeetPerSecond = 1800.0 / 60
    private static let stepFeetPerSecond = 600.0 / 60
    private static let climbKnots = 370.0
    private static let descentKnots = 340.0

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - lengthNM: The distance from take-off to landing in nautical miles.
    ///   - origin: The elevation of the origin in feet.
    ///   - destination: The elevation of the destination in feet.
    ///   - cruiseFeet: The final cruising altitude. A long flight begins 2,000 feet lower.
    ///   - cruiseKnots: The cruising speed.
    init(lengthNM: Double, from origin: Int, to destination: Int, cruiseFeet: Double, cruiseKnots: Double) {
      self.origin = Double(origin)
      self.destination = Double(destination)
      self.cruiseKnots = cruiseKnots
      finalFeet = cruiseFeet
      initialFeet = lengthNM > 2500 ? cruiseFeet - 2000 : cruiseFeet
      climbEnd = max(initialFeet - self.origin, 1000) / Self.climbFeetPerSecond
      let descent = max(finalFeet - self.destination, 1000) / Self.descentFeetPerSecond
      let level = lengthNM - (climbEnd * Self.climbKnots + descent * Self.descentKnots) / 3600
      let cruise = max(level, 0) / cruiseKnots * 3600
      descentStart = climbEnd + cruise
      stepStart = climbEnd + cruise / 2
      duration = (descentStart + descent).rounded(.up)
    }

    func feet(after seconds: Double) -> Double {
      if seconds < climbEnd { return origin + max(seconds, 0) * Self.climbFeetPerSecond }
      if seconds < descentStart {
        return min(initialFeet + max(seconds - stepStart, 0) * Self.stepFeetPerSecond, finalFeet)
      }
      return max(finalFeet - (seconds - descentStart) * Self.descentFeetPerSecond, destination)
    }

    func distanceNM(after seconds: Double) -> Double {
      let climb = min(max(seconds, 0), climbEnd) * Self.climbKnots
      let cruise = min(max(seconds - climbEnd, 0), descentStart - climbEnd) * cruiseKnots
      let descent = max(min(seconds, duration) - descentStart, 0) * Self.descentKnots
      return (climb + cruise + descent) / 3600
    }

    func knots(after seconds: Double) -> Double {
      seconds < climbEnd ? Self.climbKnots : seconds < descentStart ? cruiseKnots : Self.descentKnots
    }
  }
}
