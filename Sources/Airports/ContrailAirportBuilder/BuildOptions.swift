/// Options that select airports. Closed airports and runways are never included.
public struct BuildOptions: Hashable, Sendable {
  /// The kinds to include. Helipads are included if heliports are.
  public var kinds: Set<AirportKind>
  /// Whether airports without a runway are dropped.
  public var requiresRunway: Bool
  /// The compression level, from 0 (fast) to 9 (small).
  public var preset: Int

  /// The default kinds: places for aeroplanes, gliders and ultralights, on land or water.
  public static let usualKinds: Set<AirportKind> = [.airport, .seaplaneBase, .gliderport, .ultralight]

  public init(kinds: Set<AirportKind> = usualKinds, requiresRunway: Bool = false, preset: Int = 6) {
    self.kinds = kinds
    self.requiresRunway = requiresRunway
    self.preset = preset
  }
}

/// The progress of a build.
public enum BuildProgress: Hashable, Sendable {
  /// The sources are being read. The values are the current file and the fraction of all bytes read, from 0 to 1.
  case reading(file: String, progress: Double)
  /// The sources are being merged.
  case merging
  /// The file is being compressed and written.
  case writing
  /// The build is complete.
  case finished

  /// The overall progress, from 0 to 1.
  public var fraction: Double {
    switch self {
    case .reading(_, let progress): progress * 0.7
    case .merging: 0.7
    case .writing: 0.8
    case .finished: 1
    }
  }
}
