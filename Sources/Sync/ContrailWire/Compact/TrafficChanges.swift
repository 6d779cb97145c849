import ContrailGeodesy

// Traffic as changes to the records that the client holds. In the compact form with flag 32, after the PIREPs:
//
//     for each held position, in the order of identifiers:
//       byte                   1 still there, 2 altitude, 4 ground speed, 8 track differs, 16 near the predicted position;
//                              from bit 5, the age less one in seconds, or 7 if it follows
//       number                 the age, if it follows
//       byte                   if near: latitude and longitude less the predicted ones, −8…7 times 1e-4 degrees, as 4 bits each
//       degrees, degrees       otherwise: latitude and longitude less the predicted ones
//       number…                the differences, as the flags say; of altitudes, 2·ZigZag(difference / 25) if that is whole,
//                              otherwise 2·ZigZag(difference) + 1
//     number, positions        the positions of other aircraft, as in the complete list
//     4 bytes                  the checksum of the result
//
// The predicted position is the held one, moved by its ground speed along its track. It is calculated with integers, so that every
// machine predicts the same.

extension TrafficPosition {
  /// Returns a checksum of positions in their order, with all of their values.
  package static func checksum(of traffic: [TrafficPosition]) -> UInt32 {
    func word(_ value: Int?) -> UInt64 { value.map { Digest.mix(UInt64(bitPattern: Int64($0))) } ?? 1 }
    let sum = traffic.reduce(UInt64(traffic.count)) { sum, position in
      var sum = Digest.mix(sum ^ position.digest)
      sum = Digest.mix(sum &+ Digest.hash(position.callsign.utf8))
      for value in [position.altitudeFeet, position.groundSpeedKnots, position.trackDegrees] {
        sum = Digest.mix(sum &+ word(value))
      }
      return sum
    }
    return UInt32(truncatingIfNeeded: sum)
  }

  /// The longest time of a prediction, in seconds. Positions of traffic are not held any longer.
  private static let maximumSeconds: Int64 = 600

  /// Returns where the aircraft is at a time if it keeps its speed and track: along the rhumb line, to within some hundred metres.
  func predicted(at second: Int64) -> FixedCoordinate {
    guard let knots = groundSpeedKnots, let track = trackDegrees, (0...360).contains(track),
      abs(position.latitudeE7) < 880_000_000
    else { return position }
    let seconds = min(max(second &- observedAt, 0), Self.maximumSeconds)
    // A knot is a sixtieth of a degree of latitude in an hour.
    let distanceE7 = Int64(min(knots, 5000)) * seconds * 10_000_000 / 216_000
    let latitudeE7 = position.latitudeE7 + distanceE7 * IntegerSine.millionths(degrees: track + 90) / 1_000_000
    let middleE7 = (position.latitudeE7 + latitudeE7) / 2
    let shrinkage = max(IntegerSine.millionths(degreesE7: 900_000_000 - abs(middleE7)), 10_000)
    var longitudeE7 = position.longitudeE7 + distanceE7 * IntegerSine.millionths(degrees: track) / shrinkage
    if longitudeE7 > 1_800_000_000 { longitudeE7 -= 3_600_000_000 }
    if longitudeE7 < -1_800_000_000 { longitudeE7 += 3_600_000_000 }
    return FixedCoordinate(latitudeE7: min(max(latitudeE7, -900_000_000), 900_000_000), longitudeE7: longitudeE7)
  }

  /// Whether the list is in the strict order of identifiers, which changes need.
  static func isOrdered(_ traffic: [TrafficPosition]) -> Bool {
    zip(traffic, traffic.dropFirst()).allSatisfy { $0.precedes($1) }
  }

  private func precedes(_ other: TrafficPosition) -> Bool { id.utf8.lexicographicallyPrecedes(other.id.utf8) }

  /// Writes the positions as changes to held ones. Both must be ordered.
  static func write(
    _ traffic: [TrafficPosition], changing held: [TrafficPosition], to compact: inout CompactWriter, token: Int64
  ) {
    var others: [TrafficPosition] = []
    var next = 0
    for old in held {
      while next < traffic.count, traffic[next].precedes(old) {
        others.append(traffic[next])
        next += 1
      }
      guard next < traffic.count, traffic[next].id == old.id else {
        compact.byte(0)
        continue
      }
      let new = traffic[next]
      next += 1
      if !new.writeChange(of: old, to: &compact, token: token) {
        compact.byte(0)
        others.append(new)
      }
    }
    others += traffic[next...]
    compact.number(others.count)
    for position in others { position.write(to: &compact, token: token) }
    compact.half(checksum(of: traffic))
  }

  /// Writes this position as a change to the held one.
  ///
  /// - Returns: False if it isn't possible: another callsign, or a value that is unknown in one of them.
  private func writeChange(of old: TrafficPosition, to compact: inout CompactWriter, token: Int64) -> Bool {
    guard callsign == old.callsign else { return false }
    var flags: UInt8 = 1
    var differences: [Int] = []
    for (flag, new, old) in [
      (UInt8(2), altitudeFeet, old.altitudeFeet), (4, groundSpeedKnots, old.groundSpeedKnots),
      (8, trackDegrees, old.trackDegrees),
    ] where new != old {
      guard let new, let old else { return false }
      flags |= flag
      differences.append(new - old)
    }
    let age = token - observedAt
    let predicted = old.predicted(at: observedAt)
    let near = Self.near(position, predicted)
    if near != nil { flags |= 16 }
    compact.byte(flags | UInt8((1..<8).contains(age) ? age - 1 : 7) << 5)
    if !(1..<8).contains(age) { compact.signed(age) }
    if let near {
      compact.byte(near)
    } else {
      compact.residual(position.latitudeE7, predicted.latitudeE7)
      compact.residual(position.longitudeE7, predicted.longitudeE7)
    }
    if flags & 2 != 0 { compact.feet(differences.removeFirst()) }
    for difference in differences { compact.signed(Int64(difference)) }
    return true
  }

  /// Returns the difference of two positions in one byte; nil if it is too large or too fine.
  private static func near(_ position: FixedCoordinate, _ predicted: FixedCoordinate) -> UInt8? {
    guard position.latitudeE7 % 1000 == 0, position.longitudeE7 % 1000 == 0 else { return nil }
    let north = position.latitudeE7 / 1000 - predicted.latitudeE7 / 1000
    let east = position.longitudeE7 / 1000 - predicted.longitudeE7 / 1000
    guard (-8...7).contains(north), (-8...7).contains(east) else { return nil }
    return UInt8(truncatingIfNeeded: north & 0xF | (east & 0xF) << 4)
  }

  /// Returns the position that differs from a predicted one by a byte of ``near(_:_:)``.
  private static func position(
    near: UInt8, _ predicted: FixedCoordinate, _ compact: CompactReader
  ) throws(CompactError) -> FixedCoordinate {
    let north = Int64(Int8(bitPattern: near << 4) >> 4)
    let east = Int64(Int8(bitPattern: near) >> 4)
    let position = FixedCoordinate(
      latitudeE7: (predicted.latitudeE7 / 1000 + north) * 1000,
      longitudeE7: (predicted.longitudeE7 / 1000 + east) * 1000)
    guard position.latitudeE7.magnitude <= 900_000_000, position.longitudeE7.magnitude <= 3_600_000_000 else {
      throw compact.fault("a position isn't on the earth")
    }
    return position
  }

  /// Reads positions that are changes to held ones.
  static func read(
    changing held: [TrafficPosition], from compact: inout CompactReader, token: Int64
  ) throws(CompactError) -> [TrafficPosition] {
    guard isOrdered(held) else { throw compact.fault("the answer changes positions that aren't held in order") }
    var kept: [TrafficPosition] = []
    for old in held {
      let flags = try compact.byte()
      guard flags & 1 == 1 else {
        guard flags == 0 else { throw compact.fault("unknown flags \(flags) of a position") }
        continue
      }
      let age = flags >> 5
      let observedAt = age < 7 ? token - Int64(age) - 1 : try compact.second(token, "observedAt")
      guard observedAt >= 0 else { throw compact.fault("'observedAt' is outside the years 1970 to 2106") }
      let predicted = old.predicted(at: observedAt)
      var new = old
      new.observedAt = observedAt
      if flags & 16 != 0 {
        new.position = try position(near: try compact.byte(), predicted, compact)
      } else {
        new.position = FixedCoordinate(
          latitudeE7: try compact.residual(predicted.latitudeE7, limit: 90),
          longitudeE7: try compact.residual(predicted.longitudeE7, limit: 360))
      }
      if flags & 2 != 0 {
        new.altitudeFeet = try compact.change(old.altitudeFeet, in: -5_000...200_000, "alt", by: try compact.feet())
      }
      if flags & 4 != 0 {
        new.groundSpeedKnots = try compact.change(old.groundSpeedKnots, in: 0...5_000, "gs", by: try compact.signed())
      }
      if flags & 8 != 0 {
        new.trackDegrees = try compact.change(old.trackDegrees, in: 0...360, "track", by: try compact.signed())
      }
      kept.append(new)
    }
    var others: [TrafficPosition] = []
    for _ in 0..<(try compact.count(leastBytes: 8, "positions")) {
      others.append(try TrafficPosition(from: &compact, token: token))
    }
    let traffic = (kept + others).sorted { $0.precedes($1) }
    guard try compact.half() == checksum(of: traffic) else {
      throw compact.fault("the positions aren't changes to those that are held")
    }
    return traffic
  }
}

/// The sine with integers, from a table.
///
/// The table is `round(1e6 * sin(radians(d)))` for d from 0 to 90, made with Python's `math` module.
private enum IntegerSine {
  private static let table: [Int64] = [
    0, 17_452, 34_899, 52_336, 69_756, 87_156, 104_528, 121_869, 139_173, 156_434, 173_648, 190_809, 207_912, 224_951,
    241_922, 258_819, 275_637, 292_372, 309_017, 325_568, 342_020, 358_368, 374_607, 390_731, 406_737, 422_618,
    438_371, 453_990, 469_472, 484_810, 500_000, 515_038, 529_919, 544_639, 559_193, 573_576, 587_785, 601_815,
    615_661, 629_320, 642_788, 656_059, 669_131, 681_998, 694_658, 707_107, 719_340, 731_354, 743_145, 754_710,
    766_044, 777_146, 788_011, 798_636, 809_017, 819_152, 829_038, 838_671, 848_048, 857_167, 866_025, 874_620,
    882_948, 891_007, 898_794, 906_308, 913_545, 920_505, 927_184, 933_580, 939_693, 945_519, 951_057, 956_305,
    961_262, 965_926, 970_296, 974_370, 978_148, 981_627, 984_808, 987_688, 990_268, 992_546, 994_522, 996_195,
    997_564, 998_630, 999_391, 999_848, 1_000_000,
  ]

  /// Returns the sine of whole degrees in millionths.
  static func millionths(degrees: Int) -> Int64 {
    let angle = ((degrees % 360) + 360) % 360
    switch angle {
    case 0...90: return table[angle]
    case 91...180: return table[180 - angle]
    case 181...270: return -table[angle - 180]
    default: return -table[360 - angle]
    }
  }

  /// Returns the sine of 0…90 degrees, in 1e-7 degrees, in millionths: between two whole degrees along a straight line.
  static func millionths(degreesE7: Int64) -> Int64 {
    let (degree, rest) = min(max(degreesE7, 0), 900_000_000).quotientAndRemainder(dividingBy: 10_000_000)
    let low = table[Int(degree)]
    return degree < 90 ? low + (table[Int(degree) + 1] - low) * rest / 10_000_000 : low
  }
}

extension CompactWriter {
  /// Writes an angle less a predicted one, in 1e-7 degrees; see ``degrees(_:)``. The prediction has no more decimals than the angle.
  fileprivate mutating func residual(_ value: Int64, _ predicted: Int64) {
    degrees(value % 1000 == 0 ? value - predicted / 1000 * 1000 : value - predicted, isCoarse: value % 1000 == 0)
  }

  /// Writes a difference of altitudes: most are given in steps of 25 feet.
  fileprivate mutating func feet(_ difference: Int) {
    let (steps, rest) = Int64(difference).quotientAndRemainder(dividingBy: 25)
    let number = rest == 0 ? steps : Int64(difference)
    self.number(UInt64(bitPattern: number << 1 ^ number >> 63) << 1 | (rest == 0 ? 0 : 1))
  }

  /// Writes four bytes, from the lowest.
  fileprivate mutating func half(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}

extension CompactReader {
  /// Reads an angle that was written less a predicted one.
  fileprivate mutating func residual(_ predicted: Int64, limit: Int64) throws(CompactError) -> Int64 {
    let (residual, isCoarse) = try degreesWithUnit(limit: 2 * limit)
    let value = residual + (isCoarse ? predicted / 1000 * 1000 : predicted)
    guard value.magnitude <= UInt64(limit) * 10_000_000 else { throw fault("a position isn't on the earth") }
    return value
  }

  fileprivate func change(
    _ held: Int?, in range: ClosedRange<Int>, _ name: StaticString, by difference: Int64
  ) throws(CompactError) -> Int {
    guard let held else { throw fault("'\(name)' changes and isn't held") }
    let (value, isOverflow) = Int64(held).addingReportingOverflow(difference)
    guard !isOverflow, let result = Int(exactly: value), range.contains(result) else {
      throw fault("'\(name)' is outside \(range.lowerBound)…\(range.upperBound)")
    }
    return result
  }

  /// Reads a difference of altitudes.
  fileprivate mutating func feet() throws(CompactError) -> Int64 {
    let value = try number(upTo: 1 << 32, "alt")
    let number = Int64(value >> 2) ^ -Int64((value >> 1) & 1)
    return value & 1 == 0 ? number * 25 : number
  }

  fileprivate mutating func half() throws(CompactError) -> UInt32 {
    var value: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { value |= UInt32(try byte()) << shift }
    return value
  }
}
