import ContrailGeodesy
import ContrailH3
import ContrailWire

extension ObservationService {
  /// Accepts reports uploaded by a client. Their arrival time is now.
  ///
  /// - Returns: The number of reports that are recent enough.
  /// - Throws: 409 if the key was used with another body within 30 days.
  func accept(_ upload: ReportsUpload, key: String, bodyDigest: UInt64, now: Int64) throws(ServiceError) -> Int {
    let observations = upload.reports.compactMap { report -> WorldEpoch.Observation? in
      guard let cell = H3Cell(packed22: report.cell), let centre = FixedCoordinate(cell.center) else { return nil }
      return WorldEpoch.Observation(report: report, centre: centre, arrival: now)
    }
    return try store(observations, key: key, bodyDigest: bodyDigest, now: now)
  }
}
