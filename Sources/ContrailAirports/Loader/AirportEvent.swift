public import ContrailAirportData

/// What a loader did, as plain values, for a log.
public enum AirportEvent: Hashable, Sendable {
  /// It was looked which cycle is wanted, and which is in use.
  case cycleChecked(wanted: AIRACCycle, current: AIRACCycle?, need: AirportLoadNeed)
  /// There is no file of the cycle yet.
  case cycleNotAvailable(AIRACCycle)
  /// A file came as a whole.
  case downloadFinished(AirportDownloadSummary)
  /// A cycle's airports are staged as a whole.
  case loadFinished(LoadedCycle)
  /// A cycle is in use from now on.
  case cycleActivated(AIRACCycle, digest: AirportDigest)
  /// The load was put off by the user.
  case loadDeferred(AIRACCycle)
  /// A load ended without success.
  case loadFailed(AIRACCycle, AirportLoaderError)
}

/// A file of airports that came.
public struct AirportDownloadSummary: Hashable, Sendable {
  /// The cycle that was asked for.
  public var cycle: AIRACCycle
  /// Where the file is; it goes when it has been loaded.
  public var path: String
  /// How many bytes it has.
  public var bytes: Int64
  /// Its SHA-256, 64 lowercase hexadecimal digits.
  public var sha256: String
  /// What the server calls it.
  public var entityTag: String?
  /// How many times the connection broke and the download went on.
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
