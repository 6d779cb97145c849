import Dispatch

/// Reads and decodes a recording on a thread of its own, some batches ahead of the fold.
///
/// The steps come in their order, the first fault in its place among them: what is folded is the same as without. One thread fills
/// batches in turn, the other empties them in the same turn; two semaphores hand each batch over.
final class StepsAhead: StepSource {
  private let ring: Ring
  private var turn = 0
  private var isHolding = false

  /// Nobody else may use the reader until the steps have come to their end.
  init(_ reader: RecordingReader) {
    ring = Ring(reader)
    let ring = ring
    DispatchQueue(label: "contrail.replay.decode", qos: .userInitiated).async { ring.fill() }
  }

  deinit { ring.abandon() }

  func nextStep() throws(UnreadableRecording) -> RecordingReader.Step? {
    while true {
      if !isHolding {
        ring.filled.wait()
        isHolding = true
      }
      let batch = ring.batches[turn]
      if let step = batch.next() { return step }
      // The end and a fault stay where they are, for whoever asks again.
      if let fault = batch.fault { throw fault }
      if batch.isLast { return nil }
      isHolding = false
      turn = (turn + 1) % ring.batches.count
      ring.free.signal()
    }
  }

  /// The filling thread's until `filled` is signalled for it, the fold's until `free` is.
  private final class Batch {
    /// Steps from `given` to `count` stand in the room; those before were moved out.
    private var steps = UnsafeMutableBufferPointer<RecordingReader.Step>(start: nil, count: 0)
    private var given = 0
    private var count = 0
    private(set) var isLast = false
    private(set) var fault: UnreadableRecording?
    /// Payloads that steps borrow: the reader's own are gone when it reads on.
    private var payloads: [UnsafeMutableRawBufferPointer] = []
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Lines of so many bytes make a batch: long enough that handing it over costs little, and short beside the caches.
    private static let byteCount: Int64 = 256 << 10
    /// Payloads take a small part of them.
    private static let roomByteCount = 32 << 10

    deinit {
      steps[given..<count].deinitialize()
      steps.deallocate()
      payloads.forEach { $0.deallocate() }
    }

    /// The next step that was filled in and not yet given.
    func next() -> RecordingReader.Step? {
      guard given < count else { return nil }
      defer { given += 1 }
      return steps.moveElement(from: given)
    }

    func fill(from reader: RecordingReader) {
      (given, count) = (0, 0)
      reuseRoom()
      let end = reader.byteCount + Self.byteCount
      do throws(UnreadableRecording) {
        while reader.byteCount < end {
          guard let step = try reader.nextStep() else {
            isLast = true
            return
          }
          append(kept(step))
        }
      } catch {
        fault = error
      }
    }

    private func append(_ step: consuming RecordingReader.Step) {
      if count == steps.count {
        let larger = UnsafeMutableBufferPointer<RecordingReader.Step>.allocate(capacity: max(2 * count, 256))
        _ = larger.moveInitialize(fromContentsOf: steps[..<count])
        steps.deallocate()
        steps = larger
      }
      steps.initializeElement(at: count, to: step)
      count += 1
    }

    /// The step with what it borrows copied.
    private func kept(_ step: consuming RecordingReader.Step) -> RecordingReader.Step {
      guard case .decision(let kind, let payload, let isSealed) = step.content else { return step }
      if room.count < payload.count { makeRoom(for: payload.count) }
      let copy = UnsafeMutableRawBufferPointer(rebasing: room[..<payload.count])
      copy.copyMemory(from: payload)
      room = UnsafeMutableRawBufferPointer(rebasing: room[payload.count...])
      return RecordingReader.Step(
        seq: step.seq, at: step.at, file: step.file, line: step.line,
        content: .decision(kind, payload: UnsafeRawBufferPointer(copy), isSealedByCRC: isSealed))
    }

    private func makeRoom(for count: Int) {
      room = .allocate(byteCount: max(count, Self.roomByteCount), alignment: 16)
      payloads.append(room)
    }

    /// The first block is used again, what was needed beyond it given up.
    private func reuseRoom() {
      while payloads.count > 1 { payloads.removeLast().deallocate() }
      room = payloads.first ?? room
    }
  }

  /// What both threads hold. Each field but `isAbandoned` belongs to one of them at a time, as the semaphores say.
  private final class Ring: @unchecked Sendable {
    /// So many that neither thread sleeps when the other is held up for a moment: one that sleeps isn't back at once.
    let batches = (0..<16).map { _ in Batch() }
    let filled = DispatchSemaphore(value: 0)
    let free = DispatchSemaphore(value: 0)
    private let reader: RecordingReader
    private let gate = DispatchSemaphore(value: 1)
    private var isAbandoned = false

    init(_ reader: RecordingReader) {
      self.reader = reader
      // Not by its initial value, below which a semaphore mustn't be when it is released.
      for _ in batches { free.signal() }
    }

    /// Fills batches until the recording ends, can't be read on, or nobody wants any more.
    func fill() {
      var turn = 0
      while true {
        free.wait()
        if wasAbandoned() { return }
        let batch = batches[turn]
        batch.fill(from: reader)
        filled.signal()
        if batch.isLast || batch.fault != nil { return }
        turn = (turn + 1) % batches.count
      }
    }

    /// Lets the filling thread end.
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
