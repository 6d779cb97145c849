import ContrailCore
import ContrailWire

/// The sizes of requests with an area. Several runs share it, because compressing an area takes longer than deciding to request it.
final class RequestSizes: @unchecked Sendable {
  private let gate = Gate()
  private var known: [Key: Int] = [:]

  private struct Key: Hashable {
    var area: UInt64
    var types: DataTypeOptions
    var severities: SeveritySet
    var altitudes: AltitudeBand
    var history: DataHistoryTime
    var hasSince: Bool
  }

  /// Returns the size of a request's target, entity tag and body as they are sent, without the rest of the head.
  ///
  /// Requests that differ only in their watermarks have the size of one with a fixed watermark. The error is a few bits, and runs don't
  /// depend on each other.
  func plainBytes(_ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?) -> Int {
    guard let inFlight, request.scope.hasDeltas, !request.body.isEmpty else { return WireModel.plainBytes(request) }
    var request = request
    if let since = inFlight.since {
      let digits = Array(String(since).utf8)
      guard digits.count == Self.watermark.count, let place = request.body.lastRange(of: digits) else {
        return WireModel.plainBytes(request)
      }
      request.body.replaceSubrange(place, with: Self.watermark)
    }
    let spec = inFlight.spec
    let key = Key(
      area: spec.areaDigest, types: spec.types, severities: spec.severities, altitudes: spec.altitudes,
      history: spec.history, hasSince: inFlight.since != nil)
    if let size = gate.within({ known[key] }) { return size }
    let size = WireModel.plainBytes(request)
    gate.within { known[key] = size }
    return size
  }

  private static let watermark = Array("1739284605".utf8)
}

extension [UInt8] {
  /// Returns where a part stands last.
  fileprivate func lastRange(of part: [UInt8]) -> Range<Int>? {
    guard !part.isEmpty, part.count <= count else { return nil }
    for start in stride(from: count - part.count, through: 0, by: -1)
    where self[start] == part[0] && self[start..<start + part.count].elementsEqual(part) {
      return start..<start + part.count
    }
    return nil
  }
}
