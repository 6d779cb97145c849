public import ContrailAirportData

/// An event of a loader, as a plain value for a log.
public enum AirportEvent: Hashable, Sendable {
  /// The wanted cycle was compared with the cycle in use.
  case cycleChecked(wanted: AIRACCycle, current: AIRACCycle?, need: AirportLoadNeed)
  /// The file of the cycle isn't available yet.
  case cycleNotAvailable(AIRACCycle)
  /// A file was downloaded completely.
  case downloadFinished(AirportDownloadSummary)
  /// The airports of a cycle were staged completely.
  case loadFinished(LoadedCycle)
  /// A cycle was activated.
  case cycleActivated(AIRACCycle, digest: AirportDigest)
  /// The user deferred the load.
  case loadDeferred(AIRACCycle)
  /// A delta couldn't be applied, and the complete file is loaded instead.
  case deltaRefused(AIRACCycle, AirportDataError)
  /// A load failed.
  case loadFailed(AIRACCycle, AirportLoaderError)
}

/// The progress of a download in bytes.
public struct AirportDownloadProgress: Hashable, Sendable {
  /// The number of bytes received, including those of earlier attempts.
  public var receivedBytes: Int64
  /// The size of the file, if the server sent it.
  public var totalBytes: Int64?

  public init(receivedBytes: Int64, totalBytes: Int64?) {
    self.receivedBytes = receivedBytes
    self.totalBytes = totalBytes
  }

  /// The progress from 0 to 1, or `nil` if the size isn't known.
  public var fraction: Double? {
    guard let totalBytes, totalBytes > 0 else { return nil }
    return min(1, Double(receivedBytes) / Double(totalBytes))
  }
}

/// The result of downloading an airport file.
public struct AirportDownloadSummary: Hashable, Sendable {
  /// The requested cycle.
  public var cycle: AIRACCycle
  /// The path of the file, which is deleted after the file was loaded.
  public var path: String
  /// The size of the file in bytes.
  public var bytes: Int64
  /// The SHA-256 of the file as 64 lowercase hexadecimal digits.
  public var sha256: String
  /// The entity tag of the file, if the server sent one.
  public var entityTag: String?
  /// The number of interruptions after which the download continued.
  public var resumeCount: Int
  /// The cycle that the file changes, if it is a delta.
  public var base: AIRACCycle?

  public init(
    cycle: AIRACCycle, path: String, bytes: Int64, sha256: String, entityTag: String?, resumeCount: Int,
    base: AIRACCycle? = nil
  ) {
    self.cycle = cycle
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.entityTag = entityTag
    self.resumeCount = resumeCount
    self.base = base
  }
}
