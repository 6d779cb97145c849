import ContrailGeodesy

/// Two hashes of an airport: one without the magnetic variation, which changes over time, and one of all fields.
package struct AirportHash: Hashable, Sendable {
  /// The hash of all fields except the variation.
  package let steady: UInt64
  /// The hash of all fields.
  package let value: UInt64

  /// - Complexity: O(*n*) in the airport's bytes.
  package init(_ airport: Airport) {
    var mixer = Mixer()
    mixer.add(airport)
    self.init(steady: mixer.finished, variationDegrees: airport.variationDegrees)
  }

  /// Creates the hash of an airport whose variation changed.
  package init(steady: UInt64, variationDegrees: Double?) {
    self.steady = steady
    var mixer = Mixer(state: steady)
    mixer.add(variationDegrees)
    value = mixer.finished
  }
}

/// A hash function over a sequence of words.
private struct Mixer {
  var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  @inline(__always) mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0xbf58_476d_1ce4_e5b9
    state ^= state >> 32
  }

  /// Adds a number. `nil` is represented by a NaN that no file can contain.
  mutating func add(_ number: Double?) {
    // Adding zero converts -0 to 0, which compares equal.
    add(number.map { ($0 + 0).bitPattern } ?? UInt64.max)
  }

  mutating func add(_ text: String?) {
    guard var text else {
      add(UInt64.max)
      return
    }
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      add(UInt64(bytes.count))
      var offset = 0
      while bytes.count - offset >= 8 {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      var rest: UInt64 = 0
      for byte in bytes[offset...].reversed() { rest = rest << 8 | UInt64(byte) }
      add(rest)
    }
  }

  mutating func add(_ airport: Airport) {
    add(airport.recordID)
    add(airport.locationID)
    add(airport.icaoID)
    add(airport.iataID)
    add(airport.name)
    add(airport.city)
    add(airport.dataSource == .nasr ? 1 : 2)
    add(airport.coordinate.latitude)
    add(airport.coordinate.longitude)
    add(airport.elevationMeters)
    add(airport.timeZone)
    add(UInt64(airport.runways.count))
    for runway in airport.runways { add(runway) }
  }

  mutating func add(_ runway: Runway) {
    add(runway.name)
    add(UInt64(runway.surface.rawValue))
    add(runway.trueHeadingDegrees)
    add(runway.lengthMeters)
    add(runway.widthMeters)
    add(runway.elevationMeters)
    add(runway.reciprocalName)
    add(runway.takeoffRunMeters)
    add(runway.takeoffDistanceMeters)
    add(runway.accelerateStopDistanceMeters)
    add(runway.landingDistanceMeters)
    add(runway.displacedThresholdMeters)
    add(runway.gradientPercent)
    add(runway.endCoordinate?.latitude)
    add(runway.endCoordinate?.longitude)
  }

  /// The hash value, using the finaliser of Steele, Lea and Flood's SplitMix64 (doi:10.1145/2714064.2660195).
  var finished: UInt64 {
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
