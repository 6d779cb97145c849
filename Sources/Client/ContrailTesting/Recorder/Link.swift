package import ContrailField
import ContrailWire

/// The link of a recording.
package enum Link: Sendable {
  /// A link without outages, whose durations follow from sizes before compression.
  case steady(SteadyLink)
  /// A model with outages. It counts the bytes on the wire, and therefore depends on the compressor.
  case model(LinkModel)
}

/// A satellite link without outages: the duration of a response depends only on the seed, the request and the size.
///
/// Sizes count before compression, so that a recording doesn't depend on the version of the compressor.
package struct SteadyLink: Sendable {
  /// The time from a request to the first byte of its response, in milliseconds. A geostationary satellite takes about
  /// 540 ms for the two round trips (4 × 35,786 km at the speed of light is 477 ms).
  package var latencyMS: Int64 = 700
  /// The maximum random delay in addition, in milliseconds.
  package var jitterMS: Int64 = 400
  /// The throughput in bytes per second.
  package var bytesPerSecond: Int64 = 64_000

  package init() {}

  /// Returns the time from a request to its response in milliseconds.
  func delayMS(request: Int64, seed: UInt64, byteCount: Int) -> Int64 {
    let draw = Digest.mix(seed ^ Digest.mix(UInt64(bitPattern: request)))
    return latencyMS + Int64(draw % UInt64(jitterMS + 1)) + Int64(byteCount) * 1000 / bytesPerSecond
  }
}
