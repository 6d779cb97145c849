import Dispatch

/// Reads another input ahead of its consumer, on a separate thread.
final class AheadInput: LineInput {
  private let ring: AheadRing<Block>
  private var block: Block?
  /// The number of bytes already delivered from the block.
  private var given = 0

  init(_ input: any LineInput) {
    ring = AheadRing((0..<4).map { _ in Block() }, label: "contrail.log.unpack") { block in
      block.count = 0
      do throws(LogError) {
        block.count = try input.read(into: block.bytes)
      } catch {
        block.fault = error
      }
      return block.count > 0
    }
  }

  deinit { ring.abandon() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    let block = block ?? ring.take()
    self.block = block
    // The end and an error are kept, so that later calls return the same.
    if let fault = block.fault { throw fault }
    if block.count == 0 { return 0 }
    let count = min(buffer.count, block.count - given)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.bytes[given..<given + count]))
    given += count
    if given == block.count {
      (self.block, given) = (nil, 0)
      ring.giveBack()
    }
    return count
  }

  private final class Block {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    var count = 0
    var fault: LogError?

    deinit { bytes.deallocate() }
  }
}

/// Passes slots between a thread that fills them and a thread that empties them, in the same order.
///
/// Two semaphores count the filled and the free slots. They ensure that only one thread at a time owns a slot.
package final class AheadRing<Slot: AnyObject>: @unchecked Sendable {
  private let slots: [Slot]
  private let fill: (Slot) -> Bool
  private let filled = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 1)
  private var isAbandoned = false
  /// The turn of the emptying thread.
  private var turn = 0

  /// Creates a ring and begins to fill it on a separate thread.
  ///
  /// - Parameters:
  ///   - slots: The slots.
  ///   - label: The name of the filling queue.
  ///   - fill: Fills a slot, and returns whether more can follow. What it captures belongs to the filling thread.
  package init(_ slots: [Slot], label: String, fill: @escaping (Slot) -> Bool) {
    (self.slots, self.fill) = (slots, fill)
    // Signalled instead of passed as initial value, because a semaphore must not be below its initial value when
    // released.
    for _ in slots { free.signal() }
    DispatchQueue(label: label, qos: .userInitiated).async { [self] in run() }
  }

  /// Waits for the next filled slot and returns it. It must be given back before another is taken.
  package func take() -> Slot {
    filled.wait()
    return slots[turn]
  }

  /// Gives back the slot that was taken.
  package func giveBack() {
    turn = (turn + 1) % slots.count
    free.signal()
  }

  /// Stops the filling thread. One signal is enough, because the thread checks after each wait.
  package func abandon() {
    gate.wait()
    isAbandoned = true
    gate.signal()
    free.signal()
  }

  private func run() {
    var turn = 0
    var isGoing = true
    while isGoing {
      free.wait()
      if wasAbandoned() { return }
      isGoing = fill(slots[turn])
      turn = (turn + 1) % slots.count
      filled.signal()
    }
  }

  private func wasAbandoned() -> Bool {
    gate.wait()
    defer { gate.signal() }
    return isAbandoned
  }
}
