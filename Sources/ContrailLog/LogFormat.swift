/// The version of the log's format that a reader understands, and how older ones are lifted to it.
///
/// The version counts all that a line may say: the envelope and every payload. It goes up when a line of before would
/// be read wrongly, not when a key or a kind is added.
public struct LogFormat: Sendable {
  /// The version that this module writes.
  public static let currentVersion = 1
  /// The current version, with no older one to lift.
  public static let current = LogFormat(version: currentVersion, upcasters: [])

  /// The version that is read as it stands; a segment of a newer one is refused.
  public let version: Int
  /// What lifts older versions; at most one for each.
  public let upcasters: [LogUpcaster]

  /// Makes a format.
  public init(version: Int, upcasters: [LogUpcaster]) {
    self.version = version
    self.upcasters = upcasters
  }

  /// The upcasters that lead from `version` to this one, in order; nil if a step has none.
  func path(from version: Int) -> [LogUpcaster]? {
    guard version < self.version else { return [] }
    var path: [LogUpcaster] = []
    for step in version..<self.version {
      guard let upcaster = upcasters.first(where: { $0.version == step }) else { return nil }
      path.append(upcaster)
    }
    return path
  }
}

/// Lifts lines of one version of the format to the next.
///
/// ```swift
/// LogUpcaster(name: "heights in feet", from: 0) { envelope in
///   if envelope.kind == "report" { envelope.kind = "report.tracked" }
/// }
/// ```
public struct LogUpcaster: Sendable {
  /// What it does, in a few words, for error texts.
  public let name: String
  /// The version that it lifts; the outcome is of the next.
  public let version: Int
  /// Changes a line's kind and payload, or throws ``Fault``. One line stays one line: `seq` and `at` are put back.
  public let lift: @Sendable (inout LogEnvelope) throws(Fault) -> Void

  /// Why a line could not be lifted.
  public struct Fault: Error, Hashable, Sendable {
    /// In a clause without a full stop and without anything of the payload.
    public let reason: String

    /// Makes a fault.
    public init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Makes an upcaster.
  public init(
    name: String, from version: Int, lift: @escaping @Sendable (inout LogEnvelope) throws(Fault) -> Void
  ) {
    self.name = name
    self.version = version
    self.lift = lift
  }
}
