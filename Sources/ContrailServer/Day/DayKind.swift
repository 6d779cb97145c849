#if Online
  /// What a file of a real day tells of. The raw value is what its records are called.
  public enum DayKind: String, CaseIterable, Hashable, Sendable {
    case pireps = "PIREPs"
    case states = "aircraft"
    case sigmets = "advisories"
  }
#endif
