/// Which airports are wanted. Closed airports and closed runways never are.
public struct BuildOptions: Hashable, Sendable {
  /// The kinds that are kept; helipads are kept where heliports are.
  public var kinds: Set<AirportKind>
  /// Whether airports without a runway are dropped.
  public var requiresRunway: Bool
  /// How hard to pack the file, 0 (fast) to 9 (small).
  public var preset: Int

  /// What is kept unless you say otherwise: where an aeroplane, a glider or an ultralight lands, on land or water.
  public static let usualKinds: Set<AirportKind> = [.airport, .seaplaneBase, .gliderport, .ultralight]

  public init(kinds: Set<AirportKind> = usualKinds, requiresRunway: Bool = false, preset: Int = 6) {
    self.kinds = kinds
    self.requiresRunway = requiresRunway
    self.preset = preset
  }
}

/// How far a build has come.
public enum BuildProgress: Hashable, Sendable {
  /// The sources are read: the file's name, and how much of all files together has been, from 0 to 1.
  case reading(file: String, progress: Double)
  /// The sources are merged.
  case merging
  /// The file is packed and written.
  case writing
  /// All is done.
  case finished

  /// How much of all is done, from 0 to 1.
  public var fraction: Double {
    switch self {
    case .reading(_, let progress): progress * 0.7
    case .merging: 0.7
    case .writing: 0.8
    case .finished: 1
    }
  }
}
