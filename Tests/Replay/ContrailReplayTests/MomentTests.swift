import ContrailLog
import ContrailReplay
import Testing

@Suite struct MomentTests {
  @Test(arguments: [
    ("0", TimelinePosition.seq(0)), ("142", .seq(142)), ("2025", .seq(2025)),
    ("999999999999999999", .seq(999_999_999_999_999_999)),
    ("t+00:41:07", .offset(2_467_000)), ("t+1:00:00", .offset(3_600_000)), ("t+123:45:06.5", .offset(445_506_500)),
    ("t+00:00:00.0019", .offset(1)), ("+83m", .offset(4_980_000)), ("+1h23m", .offset(4_980_000)),
    ("t+0", .offset(0)), ("+0", .offset(0)), ("-90s", .offset(-90_000)), ("t-1h10m", .offset(-4_200_000)),
    ("+90s", .offset(90_000)), ("+250ms", .offset(250)), ("+2h1ms", .offset(7_200_001)), ("+1m1ms", .offset(60_001)),
    ("t+1h23m", .offset(4_980_000)), ("+01:23:00", .offset(4_980_000)),
    ("10m", .offset(600_000)), ("1h10m", .offset(4_200_000)), ("00:10:00", .offset(600_000)), ("90s", .offset(90_000)),
    ("2025m", .offset(121_500_000)), ("2025:00:00", .offset(7_290_000_000)),
    ("1970-01-01T00:00:00Z", .time(0)), ("2025-02-19T21:21:00Z", .time(1_740_000_060_000)),
    ("2024-02-29T23:59:59.999Z", .time(1_709_251_199_999)), ("0000-01-01T00:00:00Z", .time(-62_167_219_200_000)),
    ("9999-12-31T23:59:59Z", .time(253_402_300_799_000)),
  ])
  func aMomentIsRead(_ text: String, _ moment: TimelinePosition) throws {
    #expect(try TimelinePosition(text) == moment)
  }

  @Test(arguments: ["t+1h10m", "+70m", "70m", "1h10m", "01:10:00", "t+01:10:00"])
  func anOffsetNeedsNoSign(_ text: String) {
    #expect(TimeText.milliseconds(text) == 4_200_000)
  }

  @Test func zeroAndNegativeTimesAreRead() {
    #expect(TimeText.milliseconds("0") == 0 && TimeText.milliseconds("t+0") == 0)
    #expect(TimeText.milliseconds("-1h10m") == -4_200_000 && TimeText.milliseconds("t-00:00:01") == -1000)
    #expect(TimeText.span("-1s") == nil && TimeText.span("10001h") == nil && TimeText.span("10000h") == 36_000_000_000)
  }

  @Test(arguments: ["", "+", "t+", "70", "1m1h", "soon", "142", "2025-02-19T21:21:00Z", "99999999999999h", "++1h"])
  func whatIsNoOffsetIsRefused(_ text: String) {
    #expect(TimeText.milliseconds(text) == nil)
  }

  @Test(arguments: [
    "", " ", "-1", "1.5", "t+", "t+00:60:00", "t+00:00:60", "t+00:00", "t+00:00:00.", "+", "+5", "+5d", "+1m1h",
    "+1s2s",
    "2025-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
    "2025-01-00T00:00:00Z",
    "2025-01-01T24:00:00Z", "2025-01-01T00:00:00", "2025-01-01 00:00:00Z", "2025-01-01T00:00:00+01:00",
    "2025-1-1T00:00:00Z",
    "9999999999999999999", "t+999999:00:00", "00:10", "10m5", "1m1h", "2025-01-01", "10 m", "１４２",
  ])
  func anythingElseIsRefused(_ text: String) {
    #expect(throws: InputError.self) { try TimelinePosition(text) }
  }

  @Test func theRefusalShowsWhatIsMeant() {
    let fault = #expect(throws: InputError.self) { try TimelinePosition("noon") }
    #expect(
      fault?.description
        == "'noon' is neither a seq (142) nor a time (t+01:23:45, 83m, 1h23m, 2025-02-19T22:01:07Z)")
  }
}
