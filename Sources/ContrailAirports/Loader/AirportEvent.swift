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
  /// A load failed.
  case loadFailed(AIRACCycle, AirportLoaderError)
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

  public init(
    cycle: AIRACCycle, path: String, bytes: Int64, sha256: String, entityTag: String?, resumeCount: Int
  ) {
    self.cycle = cycle
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.entityTag = entityTag
    self.resumeCount = resumeCount
  }
}
