/// The version of the engine, as written in `session.started` lines.
package struct EngineVersion: Hashable, Sendable, Comparable {
  package var major: Int
  package var minor: Int
  package var patch: Int

  /// The version written to new sessions.
  package static let current = EngineVersion(major: 1, minor: 3, patch: 0)

  package init(major: Int, minor: Int, patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// Creates a version from text such as `1.0.0`; nil for anything else.
  package init?(_ text: String) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else {
      return nil
    }
    self.init(major: major, minor: minor, patch: patch)
  }

  package static func < (a: EngineVersion, b: EngineVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }
}

extension EngineVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor).\(patch)" }
}

/// The behaviour of the engine version that wrote the session, so that an old log replays to the recorded decisions.
struct Policy: Equatable {
  /// Before 1.1.0, a ring `[NW, NE, SE, SW, NW]` was read from west to east, whatever its width.
  var readsMapRectangles: Bool
  /// Since 1.1.0, a ring that crosses or touches itself is rejected.
  var requiresSimpleRings: Bool
  /// Since 1.1.0, an invalid area is reported once; before, at every change of the query.
  var reportsRejectionsOnce: Bool
  /// Since 1.2.0, a viewport that is being moved is fetched when it rests.
  var waitsForRest: Bool
  /// Since 1.3.0, a 304 says something only about data that was fetched with the same parameters.
  var comparesParameters: Bool

  /// Creates the behaviour of an engine version.
  ///
  /// - Parameter engine: The session's engine version. An unreadable version selects the newest behaviour.
  init(engine: String?) {
    let version = engine.flatMap(EngineVersion.init) ?? .current
    let isOld = version < EngineVersion(major: 1, minor: 1, patch: 0)
    readsMapRectangles = isOld
    requiresSimpleRings = !isOld
    reportsRejectionsOnce = !isOld
    waitsForRest = version >= EngineVersion(major: 1, minor: 2, patch: 0)
    comparesParameters = version >= EngineVersion(major: 1, minor: 3, patch: 0)
  }
}
