import Testing

@testable import ContrailServer

/// Who was seen within ten minutes.
@Suite struct SeenLatelyTests {
  @Test func oneIsCountedForTenMinutes() {
    var seen = SeenLately()
    seen.note(1, at: 0)
    seen.note(2, at: 1000)
    seen.note(1, at: 2000)
    #expect(seen.count(at: 2000) == 2)
    #expect(seen.count(at: 601_000) == 1)
    #expect(seen.count(at: 602_000) == 0)
  }

  @Test func memoryIsBounded() {
    var seen = SeenLately(capacity: 3)
    for digest in 0..<10 { seen.note(UInt64(digest), at: Int64(digest)) }
    #expect(seen.count(at: 10) == 3)
    // Room is made once the others are old.
    seen.note(11, at: 700_000)
    #expect(seen.count(at: 700_000) == 1)
  }
}
