import ContrailEngine
import Testing

@Suite struct BoxedTests {
  private struct Holder {
    @Boxed var values = [1, 2]
  }

  @Test func aChangeOfACopyDoesntReachTheOriginal() {
    let original = Holder()
    var copy = original
    copy.values.append(3)
    #expect(original.values == [1, 2])
    #expect(copy.values == [1, 2, 3])
    var other = copy
    other.values = []
    #expect(copy.values == [1, 2, 3])
  }
}
