import Testing

@testable import ContrailWorld

@Suite struct RateLimiterTests {
  @Test func manyAddressesDoNotFillMemory() async {
    let limiter = RateLimiter(RequestRate(perSecond: 1))
    for number in 0..<30_000 { _ = await limiter.wait(for: "\(number)", now: Int64(number) * 10) }
    #expect(await limiter.callerCount <= 20_000)
    // An address that must wait isn't forgotten.
    for _ in 0..<10 { _ = await limiter.wait(for: "busy", now: 300_000) }
    for number in 0..<30_000 { _ = await limiter.wait(for: "other \(number)", now: 300_000) }
    #expect(await limiter.wait(for: "busy", now: 300_000) == 1)
  }

  @Test func theWaitIsThatForTheNextRequest() async {
    let limiter = RateLimiter(RequestRate(perSecond: 1))
    for _ in 0..<10 { #expect(await limiter.wait(for: "a", now: 0) == nil) }
    #expect(await limiter.wait(for: "a", now: 0) == 1)
    #expect(await limiter.wait(for: "a", now: 999) == 1)
    #expect(await limiter.wait(for: "a", now: 1000) == nil)
    #expect(await RateLimiter(nil).wait(for: "a", now: 0) == nil)
  }

  @Test func aRateFillsWithTime() async {
    let limiter = RateLimiter(RequestRate(perSecond: 2))
    for _ in 0..<20 { #expect(await limiter.wait(for: "a", now: 1000) == nil) }
    #expect(await limiter.wait(for: "a", now: 1000) == 1)
    #expect(await limiter.wait(for: "a", now: 1499) == 1)
    #expect(await limiter.wait(for: "a", now: 1500) == nil)
    // Neither a clock that is set back nor a long pause gives more than the bucket holds.
    #expect(await limiter.wait(for: "a", now: 0) == 1)
    for _ in 0..<20 { #expect(await limiter.wait(for: "a", now: .max) == nil) }
    #expect(await limiter.wait(for: "a", now: .max) == 1)
  }
}
