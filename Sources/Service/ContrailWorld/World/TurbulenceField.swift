import ContrailWire

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The turbulence at a place, altitude and time.
///
/// The field is plausible, not realistic: patches of clear-air turbulence beside four meandering jet streams, storms
/// along the equator, rare patches anywhere, and turbulence near the ground. All of it moves and changes within
/// hours.
struct TurbulenceField: Sendable {
  private let noise: Noise
  private let jets: [Jet]

  /// A jet stream around the earth.
  private struct Jet: Sendable {
    /// The mean latitude in degrees.
    let latitude: Double
    /// The amplitude of the axis in degrees.
    let swing: Double
    /// The altitude of the core in feet.
    let core: Double
    let strength: Double
    /// The number of waves around the earth, their phase in degrees, and their drift in degrees of longitude per
    /// hour.
    let waves: (count: Double, phase: Double, drift: Double)
    let layer: UInt64

    func axis(longitude: Double, hours: Double) -> Double {
      let turn = (longitude - waves.drift * hours + waves.phase) * waves.count * .pi / 180
      return latitude + swing * (sin(turn) * 0.75 + sin(turn * 2.37 + waves.phase) * 0.25)
    }
  }

  init(seed: UInt64) {
    noise = Noise(seed: seed)
    let draw = SeededRandom(seed: seed, .jet)
    func jet(_ number: UInt64, latitude: Double, swing: Double, core: Double, strength: Double, count: Double) -> Jet {
      let waves = (count: count, phase: draw.unit(number) * 360, drift: 0.4 + draw.unit(number, 1) * 0.5)
      return Jet(
        latitude: latitude, swing: swing, core: core, strength: strength, waves: waves, layer: 10 + number * 10)
    }
    jets = [
      jet(0, latitude: 53, swing: 9, core: 34_000, strength: 1.0, count: 5),
      jet(1, latitude: 32, swing: 4, core: 39_000, strength: 0.8, count: 4),
      jet(2, latitude: -29, swing: 4, core: 39_000, strength: 0.8, count: 4),
      jet(3, latitude: -50, swing: 7, core: 34_000, strength: 0.9, count: 4),
    ]
  }

  /// Returns the eddy dissipation rate (its cube root) in m^(2/3)/s.
  ///
  /// - Parameters:
  ///   - direction: The place as a direction from the earth's centre.
  ///   - feet: The altitude in feet.
  ///   - time: The time in seconds since 1970.
  func edr(_ direction: SIMD3<Double>, feet: Double, time: Double) -> Double {
    let hours = time / 3600
    let (latitude, longitude) = GreatCircle.place(of: direction)
    // Lattices of a few hundred kilometres move eastward with the wind. The altitude shifts them, so that layers
    // differ.
    let drift = hours * 0.9 * .pi / 180
    let (c, s) = (cos(drift), sin(drift))
    let carried = SIMD3(direction.x * c + direction.y * s, direction.y * c - direction.x * s, direction.z)
    let lift = SIMD3(0.31, 0.53, 0.79) * (feet / 3500)

    var edr = 0.0
    for jet in jets where abs(latitude - jet.latitude) < jet.swing + 8 {
      let offset = abs(latitude - jet.axis(longitude: longitude, hours: hours))
      let envelope = jet.strength * Self.bell(offset - 2.2, 1.7) * Self.bell(feet - jet.core, 6500)
      guard envelope > 0.12 else { continue }
      let patch = noise.patches(carried * 24 + lift, time: hours / 2.5, layer: jet.layer, threshold: 0.56)
      edr = max(edr, envelope * patch * 0.8)
    }
    let storms = 0.9 * Self.bell(latitude - 4, 11) * (feet < 42_000 ? 1 : Self.bell(feet - 42_000, 3000))
    if storms > 0.12 {
      let patch = noise.patches(carried * 45, time: hours * 1.3, layer: 100, threshold: 0.64)
      edr = max(edr, storms * patch * 1.3)
    }
    let anywhere = noise.patches(carried * 30 + lift, time: hours / 1.5, layer: 110, threshold: 0.7)
    edr = max(edr, anywhere * 0.7)
    if feet < 9000 {
      let ground = noise.value(carried * 60, time: hours, layer: 120)
      edr = max(edr, (1 - feet / 9000) * ground * 0.2)
    }
    return min(edr, 0.9)
  }

  private static func bell(_ offset: Double, _ width: Double) -> Double {
    exp(-offset * offset / (2 * width * width))
  }
}

/// Smooth noise over space and time: random values on a lattice with interpolation.
struct Noise: Sendable {
  private let draw: SeededRandom

  init(seed: UInt64) {
    draw = SeededRandom(seed: seed, .noise)
  }

  /// Returns a value from 0 to 1, about ½ on average, that varies over distances of 1 in `point` and over 1 in
  /// `time`.
  ///
  /// - Parameters:
  ///   - point: The point in space.
  ///   - time: The time.
  ///   - layer: The layer. Different layers are independent.
  func value(_ point: SIMD3<Double>, time: Double, layer: UInt64) -> Double {
    let base = point.rounded(.down)
    let part = point - base
    let ease = part * part * (3 - 2 * part)
    let start = time.rounded(.down)
    let x = Int64(base.x)
    let y = Int64(base.y)
    let z = Int64(base.z)
    let w = Int64(start)
    let later = time - start
    let first = cube(x, y, z, w, layer, ease)
    let second = cube(x, y, z, w + 1, layer, ease)
    return first + (second - first) * (later * later * (3 - 2 * later))
  }

  private func cube(_ x: Int64, _ y: Int64, _ z: Int64, _ w: Int64, _ layer: UInt64, _ ease: SIMD3<Double>) -> Double {
    let key = layer << 32 ^ UInt64(bitPattern: w)
    @inline(__always) func row(_ y: Int64, _ z: Int64) -> Double {
      let rest = UInt64(bitPattern: y) << 32 ^ UInt64(bitPattern: z) & 0xFFFF_FFFF
      let a = draw.unit(UInt64(bitPattern: x), rest, key)
      let b = draw.unit(UInt64(bitPattern: x + 1), rest, key)
      return a + (b - a) * ease.x
    }
    let near = row(y, z)
    let far = row(y, z + 1)
    let low = near + (row(y + 1, z) - near) * ease.y
    let high = far + (row(y + 1, z + 1) - far) * ease.y
    return low + (high - low) * ease.z
  }

  /// Returns patches: 0 where the noise is below `threshold`, rising to 1.
  func patches(_ point: SIMD3<Double>, time: Double, layer: UInt64, threshold: Double) -> Double {
    let coarse = value(point, time: time, layer: layer)
    let fine = value(point * 3.1, time: time * 2, layer: layer + 1)
    return max(0, (coarse * 0.7 + fine * 0.3 - threshold) / (1 - threshold))
  }
}

/// A stateless random number generator: the numbers depend only on the seed, the purpose and the arguments.
///
/// The numbers can be requested in any order, so the world can be computed for any time.
struct SeededRandom: Sendable {
  /// The purpose of a number. Different purposes have independent numbers.
  enum Purpose: UInt64, Sendable {
    case route = 1
    case schedule
    case level
    case address
    case offline
    case delay
    case bumps
    case pirep
    case noise
    case jet
    case fault
    case weather
  }

  private let root: UInt64

  init(seed: UInt64, _ purpose: Purpose) {
    root = Digest.mix(Digest.mix(seed) ^ purpose.rawValue &* 0x9e37_79b9_7f4a_7c15)
  }

  /// Returns 64 random bits for up to three arguments.
  @inline(__always)
  func bits(_ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> UInt64 {
    Digest.mix(Digest.mix(Digest.mix(root &+ a) &+ b) &+ c)
  }

  /// Returns a number in 0 ..< 1 for up to three arguments.
  @inline(__always)
  func unit(_ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> Double {
    Double(bits(a, b, c) >> 11) * 0x1p-53
  }

  /// Returns a number in 0 ..< `count` for up to three arguments, or 0 if `count` is 0.
  func index(below count: Int, _ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> Int {
    count > 0 ? Int(bits(a, b, c) % UInt64(count)) : 0
  }
}
