import ContrailTestSupport
import Testing

@testable import ContrailHTTP

@Suite struct FifoTests {
  @Test(arguments: 0..<8) func behavesAsAnArrayDoes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var fifo = Fifo<Int>()
    var array: [Int] = []
    for number in 0..<4_000 {
      // Growing for a while, then shrinking, so that every tidying is met.
      if Int.random(in: 0..<100, using: &random) < (number / 1_000 % 2 == 0 ? 70 : 30) {
        fifo.append(number)
        array.append(number)
      } else {
        #expect(fifo.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      }
      #expect(fifo.count == array.count)
      #expect(fifo.isEmpty == array.isEmpty)
    }
  }

  @Test func whatHasLeftIsReleased() {
    var fifo = Fifo<Token>()
    weak var first: Token?
    do {
      let token = Token()
      first = token
      fifo.append(token)
      fifo.append(Token())
    }
    _ = fifo.popFirst()
    #expect(first == nil)
    #expect(fifo.count == 1)
  }
}
