import CContrail
import ContrailWire

/// SHA-256 (FIPS 180-4, section 6.2), used to name blobs, to compare files, and to chain the lines of a log.
///
/// Implemented here because building swift-crypto takes longer than building everything else that a replay needs. It is
/// used for content addressing, not for secrets.
///
/// It uses the processor's instructions if available. Both ways give the same value.
package struct SHA256: Sendable {
  private var state = SIMD8<UInt32>(
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
  /// The bytes of an incomplete block of 64 bytes.
  private var pending = SIMD64<UInt8>()
  private var pendingCount = 0
  private var count: UInt64 = 0
  private let usesInstructions: Bool

  static let blockCount = 64
  private static let hasInstructions = contrail_sha256_is_available()

  package init() { usesInstructions = Self.hasInstructions }

  /// Creates a hash that doesn't use the processor's instructions, for comparisons.
  init(portable: Void) { usesInstructions = false }

  /// Returns the hash of `bytes` as 64 lowercase hexadecimal digits.
  package static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finishedHex()
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var rest = bytes
    if pendingCount > 0 {
      let taken = min(rest.count, Self.blockCount - pendingCount)
      keep(UnsafeRawBufferPointer(rebasing: rest[..<taken]))
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      guard pendingCount == Self.blockCount else { return }
      let block = pending
      withUnsafeBytes(of: block) { compress($0) }
      pendingCount = 0
    }
    let whole = rest.count - rest.count % Self.blockCount
    if whole > 0 { compress(UnsafeRawBufferPointer(rebasing: rest[..<whole])) }
    keep(UnsafeRawBufferPointer(rebasing: rest[whole...]))
  }

  /// Keeps bytes of an incomplete block.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    let start = pendingCount
    withUnsafeMutableBytes(of: &pending) {
      UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: bytes)
    }
    pendingCount += bytes.count
  }

  /// Returns the hash of all bytes. ``update(_:)`` must not be called afterwards.
  package mutating func finishedHex() -> String {
    let bitCount = count &* 8
    var padding = SIMD64<UInt8>()
    padding[0] = 0x80
    let zeros = (119 - pendingCount) % Self.blockCount
    withUnsafeBytes(of: padding) { update(UnsafeRawBufferPointer(rebasing: $0[...zeros])) }
    withUnsafeBytes(of: bitCount.bigEndian) { update($0) }
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for index in 0..<8 { Hex.append(state[index], to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds complete blocks.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    guard let base = blocks.baseAddress else { return }
    let usesInstructions = usesInstructions
    withUnsafeMutableBytes(of: &state) { state in
      let state = state.assumingMemoryBound(to: UInt32.self)
      if usesInstructions, let words = state.baseAddress {
        contrail_sha256(words, base, blocks.count / Self.blockCount)
        return
      }
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        Self.constants.withUnsafeBufferPointer { constants in
          for start in stride(from: 0, to: blocks.count, by: Self.blockCount) {
            Self.compress(
              UnsafeRawBufferPointer(rebasing: blocks[start..<start + Self.blockCount]), state, schedule, constants)
          }
        }
      }
    }
  }

  private static func compress(
    _ block: UnsafeRawBufferPointer, _ state: UnsafeMutableBufferPointer<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (two, fifteen) = (schedule[index - 2], schedule[index - 15])
      let low = rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ fifteen >> 3
      let high = rotated(two, 17) ^ rotated(two, 19) ^ two >> 10
      schedule[index] = high &+ schedule[index - 7] &+ low &+ schedule[index - 16]
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = g ^ e & (f ^ g)
      let sumE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ sumE &+ choice &+ constants[index] &+ schedule[index]
      let majority = a & b | c & (a | b)
      let sumA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sumA &+ majority)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The constants of FIPS 180-4, section 4.2.2.
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]
}
