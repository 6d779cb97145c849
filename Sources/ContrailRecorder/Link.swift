import ContrailWire

/// A satellite link as a recorder models it: how long an answer takes, drawn from the seed alone.
///
/// Sizes count before compression, so that a recording doesn't depend on the version of the compressor.
public struct Link: Sendable {
  /// The time from a request to the first byte of its answer, in milliseconds. A geostationary satellite is some 540 away,
  /// there and back twice (4 × 35,786 km at the speed of light is 477 ms).
  public var latencyMS: Int64 = 700
  /// Up to so many milliseconds more, by chance.
  public var jitterMS: Int64 = 400
  /// Bytes a second.
  public var bytesPerSecond: Int64 = 64_000

  public init() {}

  /// How long after it was sent a request is answered, in milliseconds.
  func delayMS(request: Int64, seed: UInt64, byteCount: Int) -> Int64 {
    let draw = Digest.mix(seed ^ Digest.mix(UInt64(bitPattern: request)))
    return latencyMS + Int64(draw % UInt64(jitterMS + 1)) + Int64(byteCount) * 1000 / bytesPerSecond
  }
}
