import ContrailGeodesy
import ContrailHTTP
import ContrailWire

/// The areas that the server remembers, by handle. Beyond a limit, the least recently used are removed.
struct AreaRegistry: Sendable {
  private struct Entry {
    var ring: Ring
    var lastUse: UInt64
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var uses: UInt64 = 0

    mutating func remember(_ ring: Ring, _ handle: String) {
      uses += 1
      entries[handle] = Entry(ring: ring, lastUse: uses)
    }

    /// Forgets a tenth of the areas, so that this is rare.
    mutating func forgetOldest(of maximumCount: Int) {
      let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(max(maximumCount / 10, 1))
      for (handle, _) in oldest { entries[handle] = nil }
    }
  }

  private let state: Lock<State>
  private let maximumCount: Int

  /// Creates a registry with areas.
  init(_ rings: [Ring] = [], maximumCount: Int = 10_000) {
    self.maximumCount = max(maximumCount, 1)
    var state = State()
    for ring in rings { state.remember(ring, Self.handle(of: ring)) }
    self.state = Lock(state)
  }

  /// Remembers an area and returns its handle. An area always has the same handle.
  func remember(_ ring: Ring) -> String {
    let handle = Self.handle(of: ring)
    state.withLock { state in
      state.remember(ring, handle)
      if state.entries.count > maximumCount { state.forgetOldest(of: maximumCount) }
    }
    return handle
  }

  /// Returns whether an area is remembered.
  func knows(_ ring: Ring) -> Bool {
    let handle = Self.handle(of: ring)
    return state.withLock { $0.entries[handle] != nil }
  }

  /// The number of areas.
  var count: Int { state.withLock { $0.entries.count } }

  /// Returns the area of a handle, or nil if it isn't remembered.
  func ring(_ handle: String) -> Ring? {
    state.withLock { state in
      state.uses += 1
      state.entries[handle]?.lastUse = state.uses
      return state.entries[handle]?.ring
    }
  }

  func forget(_ handle: String) { state.withLock { $0.entries[handle] = nil } }

  static func digest(of ring: Ring) -> UInt64 { Area.ring(ring).digest }

  private static func handle(of ring: Ring) -> String { handle(digest(of: ring)) }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Eleven characters of the alphabet for URLs (RFC 4648, section 5), six bits each.
  private static func handle(_ digest: UInt64) -> String {
    String(decoding: (0..<11).map { alphabet[Int(digest >> UInt64(6 * $0) & 63)] }, as: UTF8.self)
  }

  /// Returns the digest of the area with a handle; nil if it isn't the handle of any area.
  static func digest(of handle: String) -> UInt64? {
    guard handle.utf8.count == 11 else { return nil }
    var (digest, shift): (UInt64, UInt64) = (0, 0)
    for character in handle.utf8 {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return nil
      }
      // The last character has the remaining four bits.
      guard shift < 60 || value < 16 else { return nil }
      digest |= UInt64(value) << shift
      shift += 6
    }
    return digest
  }
}
