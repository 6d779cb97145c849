import ContrailGeodesy
import ContrailWire

/// The areas that the server remembers, by handle. Beyond a limit, the least recently used are removed.
actor AreaRegistry {
  private struct Entry {
    var ring: Ring
    var lastUse: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0
  private let maximumCount: Int

  init(maximumCount: Int = 10_000) {
    self.maximumCount = max(maximumCount, 1)
  }

  /// Creates a registry with areas.
  init(_ rings: [Ring], maximumCount: Int) {
    self.maximumCount = max(maximumCount, 1)
    for ring in rings {
      uses += 1
      entries[Self.handle(Self.digest(of: ring))] = Entry(ring: ring, lastUse: uses)
    }
  }

  /// Remembers an area and returns its handle. An area always has the same handle.
  func remember(_ ring: Ring) -> String {
    let handle = Self.handle(of: ring)
    uses += 1
    entries[handle] = Entry(ring: ring, lastUse: uses)
    if entries.count > maximumCount { forgetOldest() }
    return handle
  }

  /// Returns whether an area is remembered.
  func knows(_ ring: Ring) -> Bool { entries[Self.handle(of: ring)] != nil }

  /// The number of areas.
  var count: Int { entries.count }

  static func digest(of ring: Ring) -> UInt64 { Area.ring(ring).digest }

  private static func handle(of ring: Ring) -> String { handle(digest(of: ring)) }

  /// Returns the area of a handle, or nil if it isn't remembered.
  func ring(_ handle: String) -> Ring? {
    uses += 1
    entries[handle]?.lastUse = uses
    return entries[handle]?.ring
  }

  func forget(_ handle: String) { entries[handle] = nil }

  /// Forgets a tenth of the areas, so that this is rare.
  private func forgetOldest() {
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(max(maximumCount / 10, 1))
    for (handle, _) in oldest { entries[handle] = nil }
  }

  /// Eleven characters of the alphabet for URLs (RFC 4648, section 5), six bits each.
  private static func handle(_ digest: UInt64) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<11).map { alphabet[Int(digest >> UInt64(6 * $0) & 63)] })
  }
}
