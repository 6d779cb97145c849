import ContrailH3

/// Decodes a hexagon in the exact form that Contrail writes, with a time of ten digits:
///
///     {"id":"85283473fffffff","alt":38,"sev":2,"edr":0.1121,"observedAt":1659530580}
///
/// Only the altitude and the EDR vary in length, so every other part is at a known offset. The bytes are compared eight
/// at a time; all mismatches are collected in one word, which is tested once.
struct CanonicalHexagon {
  let report: TurbulenceReport
  /// The number of bytes of the hexagon.
  let count: Int
  /// The byte after the hexagon.
  let follower: UInt8

  /// The number of bytes of the shortest hexagon.
  static let minimumCount = 72
  /// The number of bytes from the start that may be read in any case. The end of a response is long enough for the last
  /// hexagon.
  static let maximumReach = 96

  /// The first eight digits of a time: a number of hundreds of seconds. Consecutive hexagons usually share them.
  struct Hundreds {
    var text = UInt64(ascii: "00000000")
    var value: UInt64 = 0
  }

  /// Decodes the hexagon at `start`; nil if the bytes have another form. At least ``maximumReach`` bytes must be
  /// readable.
  @inline(__always)
  init?(_ start: UnsafeRawPointer, _ hundreds: inout Hundreds) {
    // {"id":"85283473fffffff","alt":38
    // 0       8       16      24      32
    var fault = start.word(at: 0) ^ UInt64(ascii: "{\"id\":\"8")
    let (id, idFault) = start.word(at: 7).eightHexDigits
    fault |= idFault
    fault |= start.word(at: 15) ^ UInt64(ascii: "fffffff\"")
    // The complete index: the digits read, followed by seven times f.
    let index = id << 28 | 0x0FFF_FFFF

    let altitudeWord = start.word(at: 23)
    fault |= (altitudeWord ^ UInt64(ascii: ",\"alt\":\0")).firstSeven
    let first = (altitudeWord >> 56) ^ 0x30
    let second = UInt64(start.load(fromByteOffset: 31, as: UInt8.self)) ^ 0x30
    let isTwoDigits = second < 10
    let altitude = isTwoDigits ? first &* 10 &+ second : first
    fault |= first.isAbove(9) | altitude.isAbove(UInt64(AltitudeBand.ceiling))
    // Reject a leading zero.
    fault |= isTwoDigits && first == 0 ? 1 : 0

    // ,"sev":2,"edr":0.1121,"observedAt":1659530580}
    // 0       8       16
    let middle = start + (isTwoDigits ? 32 : 31)
    let severityWord = middle.word(at: 0)
    fault |= (severityWord ^ UInt64(ascii: ",\"sev\":\0")).firstSeven
    let severity = (severityWord >> 56) ^ 0x30
    fault |= severity.isAbove(4)
    let edrWord = middle.word(at: 8)
    fault |= (edrWord ^ UInt64(ascii: ",\"edr\":\0")).firstSeven
    let whole = (edrWord >> 56) ^ 0x30
    fault |= whole.isAbove(6)

    let fraction = middle.word(at: 16)
    var (decimals, fractionCount) = (UInt64(0), 0)
    if fraction & 0xFF == UInt64(UInt8(ascii: ".")) {
      let values = (fraction >> 8).digitValues
      // At most four digits: the bit above them marks the end.
      let places = (values.nonDigits & 0x8080_8080 | 1 << 39).trailingZeroBitCount / 8
      let digits = values & (1 &<< UInt64(truncatingIfNeeded: 8 &* places) &- 1)
      // At least one digit, and no trailing zero. The shift is one byte less than the digits; without digits, all is 0
      // anyway.
      fault |= digits &>> UInt64(truncatingIfNeeded: 8 &* places &- 8) == 0 ? 1 : 0
      let pairs = digits &* 10 &+ digits >> 8
      decimals = (pairs & 0xFF) &* 100 &+ (pairs >> 16 & 0xFF)
      fractionCount = 1 &+ places
    }
    let edr = whole &* 10_000 &+ decimals
    fault |= edr.isAbove(0xFFFF)

    // ,"observedAt":1659530580}
    // 0     6       14      22
    let end = middle + (16 &+ fractionCount)
    fault |= end.word(at: 0) ^ UInt64(ascii: ",\"observ")
    fault |= end.word(at: 6) ^ UInt64(ascii: "rvedAt\":")
    let upper = end.word(at: 14)
    if upper != hundreds.text {
      let digits = upper.digitValues
      guard digits.nonDigits == 0 else { return nil }
      hundreds = Hundreds(text: upper, value: digits.eightDigits)
    }
    let last = end.word(at: 22)
    let lower = last.digitValues & 0xFFFF
    fault |= lower.nonDigits | (last >> 16 ^ UInt64(UInt8(ascii: "}"))) & 0xFF
    let time = hundreds.value &* 100 &+ (lower & 0xFF) &* 10 &+ lower >> 8
    fault |= time.isAbove(UInt64(UInt32.max)) | (upper & 0xFF == UInt64(UInt8(ascii: "0")) ? 1 : 0)

    guard fault == 0, H3Cell.isValidResolution5(index) else { return nil }
    report = TurbulenceReport(
      packed: (index >> 30 & 0x3F_FFFF) << 25 | altitude << 19 | severity << 16 | edr,
      observedAt: UInt32(truncatingIfNeeded: time))
    count = end - start &+ 25
    follower = UInt8(truncatingIfNeeded: last >> 24)
  }
}
