/// A first-in, first-out queue.
///
/// - Complexity: `append` and `popFirst` are O(1), amortised.
struct Fifo<Element> {
  /// Removed elements are nil, so that they are released before the next compaction.
  private var slots: [Element?] = []
  private var head = 0

  var count: Int { slots.count - head }
  var isEmpty: Bool { head == slots.count }

  mutating func append(_ element: Element) {
    slots.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < slots.count else { return nil }
    var element: Element?
    swap(&element, &slots[head])
    head += 1
    if head == slots.count {
      // Release the memory of a burst.
      slots.removeAll(keepingCapacity: slots.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return element
  }
}
