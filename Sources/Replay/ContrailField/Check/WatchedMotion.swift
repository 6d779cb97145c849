import ContrailCore
package import ContrailWire

/// The changes of the viewport's area, and what must hold while it is moved: it isn't fetched before it rests, and the request for an
/// earlier area may end.
///
/// The judge of `replay check` and that of the simulator keep one. Times are milliseconds since 1970.
package struct WatchedMotion: Sendable {
  private var changedAt: Int64?
  /// The time of the last fetch, or of the first change if that is later.
  private var since: Int64 = 0
  /// Whether the last change followed another one without a rest, and no fetch has followed it.
  private var isWaiting = false

  package init() {}

  /// Takes over the values of a snapshot.
  init(_ motion: Scope.Motion) {
    changedAt = motion.changedAt
    since = motion.since
    isWaiting = motion.isWaiting
  }

  /// Notes a change from one wanted spec to another; nil if the viewport isn't wanted.
  package mutating func change(from old: FetchSpec?, to new: FetchSpec?, at now: Int64) {
    guard old?.area != new?.area else { return }
    guard new != nil else {
      self = WatchedMotion()
      return
    }
    isWaiting = changedAt.map { now < $0 + Scope.Motion.restMS } ?? false
    if !isWaiting { since = now }
    changedAt = now
  }

  /// Notes a fetch.
  package mutating func fetch(at now: Int64) {
    since = now
    isWaiting = false
  }

  /// Whether the viewport was being moved at a time, so that its fetch had to wait.
  package func isMoving(at now: Int64) -> Bool {
    guard isWaiting, let changedAt else { return false }
    return now < min(changedAt + Scope.Motion.restMS, since + Scope.Motion.longestMS)
  }
}
