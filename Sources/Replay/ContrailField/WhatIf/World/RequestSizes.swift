import ContrailCore
import ContrailWire

/// The sizes of bodies with an area. Several runs share it, because compressing an area takes longer than deciding to request it.
final class RequestSizes: @unchecked Sendable {
  private let gate = Gate()
  private var known: [Key: Int] = [:]

  private struct Key: Hashable {
    var area: UInt64
    var filter: Filter
    var hasSince: Bool
    /// The handle of the area of which the records are held; nil if the request says nothing of it.
    var heldHandle: String?
    var holdsTraffic: Bool
  }

  /// Returns the size of a request's body as it is sent.
  ///
  /// Requests that differ only in their watermarks and checksums have the size of one with a fixed watermark and fixed checksums. The
  /// error is a few bits, and runs don't depend on each other.
  ///
  /// - Parameter handle: The handle of the scope's area before it moved.
  func bodyBytes(_ request: OutgoingRequest, _ inFlight: Scope.InFlightRequest?, handle: String?) -> Int {
    guard let spec = inFlight?.spec, case .ring(let ring) = spec.area, request.scope.hasDeltas, request.packsBody
    else { return WireModel.bodyBytes(request) }
    let hasSince = inFlight?.since != nil
    let key = Key(
      area: spec.areaDigest, filter: spec.filter, hasSince: hasSince,
      heldHandle: request.heldRecords.isEmpty ? nil : handle,
      holdsTraffic: !request.heldTraffic.isEmpty)
    if let size = gate.within({ known[key] }) { return size }
    var fixed = ObservationsRequest(
      ring: ring, filter: spec.filter,
      since: hasSince ? Self.watermark : nil)
    fixed.held = key.heldHandle.map {
      .init(
        handle: $0, since: Self.watermark, records: Self.checksum, traffic: key.holdsTraffic ? Self.checksum : nil)
    }
    var sized = request
    sized.body = fixed.json
    let size = WireModel.bodyBytes(sized)
    gate.within { known[key] = size }
    return size
  }

  private static let watermark: Int64 = 1_739_284_605
  private static let checksum: UInt32 = 2_605_728_943
}
