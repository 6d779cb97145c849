import ContrailGeodesy
import ContrailLog
import ContrailWire

extension ReferenceService {
  /// Remembers an area, and returns its handle. A live service stores the area first; nil if it can't, or if the key has no more areas
  /// today. The client then sends the area again.
  func remember(_ ring: Ring, of request: ServiceRequest) async -> String? {
    let isKnown = areas.knows(ring)
    if !isKnown, await secondsToWait(.area, request) != nil { return nil }
    if observationService.isLive, !isKnown {
      do throws(ServiceLogError) {
        try await observationService.register(ring)
      } catch {
        return nil
      }
    }
    return areas.remember(ring)
  }

  /// Accepts uploaded reports. A live service stores them first, and serves only plausible reports.
  ///
  /// - Parameter now: The time of the request in seconds since 1970.
  func accept(
    _ upload: ReportsUpload, of request: ServiceRequest, key: String, bodyDigest: UInt64, now: Int64
  ) async throws(ServiceError) -> UploadAnswer {
    if observationService.isLive {
      return try await observationService.store(
        upload, owner: await owner(of: request), key: key, bodyDigest: bodyDigest)
    }
    let owner = request.headers[WireHeader.apiKey] ?? ""
    let isSimulated = isSimulated(request)
    return try await observationService.accept(
      upload, owner: owner, key: key, bodyDigest: bodyDigest
    ) { [configuration] in isSimulated ? now : configuration.clock() / 1000 }
  }
}
