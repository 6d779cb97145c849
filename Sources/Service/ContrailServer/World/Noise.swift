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
