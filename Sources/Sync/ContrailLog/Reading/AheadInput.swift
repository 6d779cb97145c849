import Dispatch

/// Reads another input ahead of its consumer, on a separate thread.
///
/// One thread fills a ring of blocks and the other empties them in the same order. Two semaphores count the filled and
/// the free blocks.
final class AheadInput: LineInput {
  private let ring: Ring
  /// The number of bytes already delivered from the current block.
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
    // The end and an error are kept, so that later calls return the same.
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

  /// A block. The filling thread owns it until it signals `filled`, the reader until it signals `free`.
  private final class Block {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    var count = 0
    var fault: LogError?

    deinit { bytes.deallocate() }
  }

  /// The state shared by both threads. The semaphores ensure that only one thread at a time owns each field except
  /// `isAbandoned`.
  private final class Ring: @unchecked Sendable {
    let blocks = [Block(), Block(), Block(), Block()]
    let filled = DispatchSemaphore(value: 0)
    let free = DispatchSemaphore(value: 0)
    private let input: any LineInput
    private let gate = DispatchSemaphore(value: 1)
    private var isAbandoned = false

    init(_ input: any LineInput) {
      self.input = input
      // Signalled instead of passed as initial value, because a semaphore must not be below its initial value when
      // released.
      for _ in blocks { free.signal() }
    }

    /// Fills blocks until the input ends, fails, or is abandoned.
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

    /// Stops the filling thread. One signal is enough, because the thread checks after each wait.
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
