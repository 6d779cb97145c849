import Testing

@testable import ContrailServer

/// What feeds demand.
@Suite struct FeedFetcherTests {
  @Test(arguments: [
    ("120", 120), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
    ("Sun, 06 Nov 1994 09:49:00 GMT", 3600), ("soon", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
    ("Sun, 06 Non 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
  ]) func retryAfterIsANumberOrADate(text: String, seconds: Int64?) {
    // 1994-11-06 08:49:00 UTC.
    #expect(FeedFetcher.seconds(text, from: 784_111_740_000) == seconds)
  }

  @Test func aDateIsReadAsItIsWritten() {
    let field = DateField()
    for second in [0, 951_782_400, 1_780_056_000, 4_102_444_799] {
      #expect(DateField.seconds(field.text(at: second)) == Int64(second))
    }
  }
}
