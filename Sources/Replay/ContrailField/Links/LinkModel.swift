import ContrailWire

/// A model of a link to the ground: how long an exchange takes, and when it fails.
///
/// A model is data, from a file with its source. What happens to an exchange depends only on the model, the seed, the time, the
/// number of the request and the sizes, so that a run repeats.
package struct LinkModel: Sendable, Hashable {
  package var name: String
  package var title = ""
  /// Where the figures come from, and which of them are assumptions.
  package var source = ""
  /// The range of the round trip, in milliseconds.
  package var roundTripMS: ClosedRange<Int64>
  /// The rates, at least 1.
  package var upBitsPerSecond: Int64
  package var downBitsPerSecond: Int64
  /// Of a thousand packets, how many are lost. A lost packet costs one round trip.
  package var lossPerMille: Int64 = 0
  package var outages: Outages?

  /// The outages of a link: one in each period, at a random time. They are shorter than the period.
  package struct Outages: Sendable, Hashable {
    package var everyMS: Int64
    package var lengthMS: ClosedRange<Int64>
  }

  package init(
    name: String, roundTripMS: ClosedRange<Int64>, upBitsPerSecond: Int64, downBitsPerSecond: Int64,
    lossPerMille: Int64 = 0, outages: Outages? = nil
  ) {
    self.name = name
    self.roundTripMS = roundTripMS
    self.upBitsPerSecond = upBitsPerSecond
    self.downBitsPerSecond = downBitsPerSecond
    self.lossPerMille = lossPerMille
    self.outages = outages
  }

  /// The result of an exchange.
  package enum Passage: Sendable, Hashable {
    /// The request reaches the server after `upMS`, and the response the device after `totalMS`.
    case passed(upMS: Int64, totalMS: Int64)
    /// Nothing arrives within the time limit of a request.
    case timedOut(afterMS: Int64)
  }

  /// The time limit of a request, in milliseconds.
  package static let timeoutMS: Int64 = 30_000
  /// The size of a packet's payload, in bytes.
  private static let packetBytes: Int64 = 1400

  /// Returns what happens to an exchange.
  ///
  /// - Parameters:
  ///   - time: The time at which the request is sent, in milliseconds since 1970.
  ///   - request: The number of the request.
  ///   - upBytes: The size of the request on the wire.
  ///   - downBytes: The size of the response on the wire.
  ///   - seed: The seed of the run.
  package func passage(at time: Int64, request: Int64, upBytes: Int64, downBytes: Int64, seed: UInt64) -> Passage {
    var draws = LinkDraws(seed: seed ^ Digest.mix(UInt64(bitPattern: request)))
    var trip = draws.next(in: roundTripMS)
    let packets = 2 + upBytes / Self.packetBytes + downBytes / Self.packetBytes
    for _ in 0..<min(packets, 1000) where draws.next(in: 0...999) < lossPerMille { trip += roundTripMS.upperBound }
    let up = trip / 2 + upBytes * 8000 / upBitsPerSecond
    let total = up + trip / 2 + downBytes * 8000 / downBitsPerSecond
    // Packets are sent again until the outage is over.
    let wait = outageEnd(at: time, seed: seed).map { $0 - time } ?? 0
    guard wait + total <= Self.timeoutMS else { return .timedOut(afterMS: Self.timeoutMS) }
    return .passed(upMS: wait + up, totalMS: wait + total)
  }

  /// Returns the end of the outage at a time, in milliseconds since 1970; nil if the link is up.
  package func outageEnd(at time: Int64, seed: UInt64) -> Int64? {
    guard let outages else { return nil }
    let period = time / outages.everyMS
    var draws = LinkDraws(seed: seed ^ Digest.mix(UInt64(bitPattern: period) ^ 0x6f75_7461_6765))
    let length = draws.next(in: outages.lengthMS)
    let start = period * outages.everyMS + draws.next(in: 0...(outages.everyMS - length))
    return start <= time && time < start + length ? start + length : nil
  }
}

/// The random numbers of one exchange.
private struct LinkDraws {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(in range: ClosedRange<Int64>) -> Int64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return range.lowerBound + Int64(Digest.mix(state) % UInt64(range.upperBound - range.lowerBound + 1))
  }
}
