import Dispatch

/// Reads another input on a thread of its own, some blocks ahead of whoever reads this one.
///
/// One thread fills blocks in turn, the other empties them in the same turn; two semaphores count what is filled and
/// what is free, and hand each block over.
final class AheadInput: LineInput {
  private let ring: Ring
  /// How much of the block that is being emptied has been given.
  private var given = 0
  private var isHolding = false
  private var turn = 0

  init(_ input: any LineInput) {
    ring = Ring(input)
    let ring = ring
    DispatchQueue(label: "contrail.log.unpack", qos: .userInitiated).async { ring.fill() }
  }

  deinit { ring.abandon() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    if !isHolding {
      ring.filled.wait()
      isHolding = true
      given = 0
    }
    let block = ring.blocks[turn]
    // The end and a fault stay where they are, for whoever asks again.
    if let fault = block.fault { throw fault }
    if block.count == 0 { return 0 }
    let count = min(buffer.count, block.count - given)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.bytes[given..<given + count]))
    given += count
    if given == block.count {
      isHolding = false
      turn = (turn + 1) % ring.blocks.count
      ring.free.signal()
    }
    return count
  }

  /// One block: the filling thread's until `filled` is signalled for it, the reader's until `free` is.
  private final class Block {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    var count = 0
    var fault: LogError?

    deinit { bytes.deallocate() }
  }

  /// What both threads hold. Each field but `isAbandoned` belongs to one of them at a time, as the semaphores say.
  private final class Ring: @unchecked Sendable {
    let blocks = [Block(), Block(), Block(), Block()]
    let filled = DispatchSemaphore(value: 0)
    let free = DispatchSemaphore(value: 0)
    private let input: any LineInput
    private let gate = DispatchSemaphore(value: 1)
    private var isAbandoned = false

    init(_ input: any LineInput) {
      self.input = input
      // Not by its initial value, below which a semaphore mustn't be when it is released.
      for _ in blocks { free.signal() }
    }

    /// Fills blocks until the input ends, fails, or nobody reads any more.
    func fill() {
      var turn = 0
      var isGoing = true
      while isGoing {
        free.wait()
        if wasAbandoned() { return }
        let block = blocks[turn]
        block.count = 0
        do throws(LogError) {
          block.count = try input.read(into: block.bytes)
        } catch {
          block.fault = error
        }
        isGoing = block.count > 0
        turn = (turn + 1) % blocks.count
        filled.signal()
      }
    }

    /// Lets the filling thread end. Signals once for all blocks, since some may be filled and waiting.
    func abandon() {
      gate.wait()
      isAbandoned = true
      gate.signal()
      free.signal()
    }

    private func wasAbandoned() -> Bool {
      gate.wait()
      defer { gate.signal() }
      return isAbandoned
    }
  }
}
