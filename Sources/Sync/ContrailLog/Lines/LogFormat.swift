/// The format version that a reader supports, and the upcasters for older ones.
///
/// The version covers the envelope and every payload. It increases if old lines would be misread, not if a key or a
/// kind is added.
package struct LogFormat: Sendable {
  /// The version that this module writes.
  package static let currentVersion = 1
  /// The current version, without upcasters.
  package static let current = LogFormat(version: currentVersion, upcasters: [])

  /// The version that is read directly. Segments with a newer one are rejected.
  package let version: Int
  /// The upcasters for older versions; at most one for each.
  package let upcasters: [LogUpcaster]

  /// Creates a format.
  package init(version: Int, upcasters: [LogUpcaster]) {
    self.version = version
    self.upcasters = upcasters
  }

  /// Returns the upcasters from `version` to this one, in order; nil if one is missing.
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

/// Converts lines of one format version to the next.
///
/// ```swift
/// LogUpcaster(name: "heights in feet", from: 0) { envelope in
///   if envelope.kind == "report" { envelope.kind = "report.tracked" }
/// }
/// ```
package struct LogUpcaster: Sendable {
  /// A short description for error messages.
  package let name: String
  /// The version that it converts from; the result has the next version.
  package let version: Int
  /// Changes a line's kind and payload, or throws ``LogEnvelopeError/notConverted(reason:)``. Changes to `seq` and `at` are ignored.
  package let lift: @Sendable (inout LogEnvelope) throws(LogEnvelopeError) -> Void

  /// Creates an upcaster.
  package init(
    name: String, from version: Int, lift: @escaping @Sendable (inout LogEnvelope) throws(LogEnvelopeError) -> Void
  ) {
    self.name = name
    self.version = version
    self.lift = lift
  }
}
