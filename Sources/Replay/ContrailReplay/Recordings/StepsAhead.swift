import ContrailLog

/// Reads and decodes a recording on a separate thread, several batches ahead of the replayer.
///
/// The steps keep their order, and an error is thrown at its place among them, so the result is the same as with one
/// thread.
final class StepsAhead: StepSource {
  private let ring: AheadRing<Batch>
  private var batch: Batch?

  /// Creates a source of steps. The reader must not be used elsewhere until the steps have ended.
  init(_ reader: RecordingReader) {
    // Enough batches that a short delay of one thread doesn't suspend the other, because waking a thread takes time.
    ring = AheadRing((0..<16).map { _ in Batch() }, label: "contrail.replay.decode") { batch in
      batch.fill(from: reader)
      return !batch.isLast && batch.fault == nil
    }
  }

  deinit { ring.abandon() }

  func nextStep() throws(UnreadableRecording) -> RecordingReader.Step? {
    while true {
      let batch = batch ?? ring.take()
      self.batch = batch
      if let step = batch.next() { return step }
      // The end and an error stay in the batch for later calls.
      if let fault = batch.fault { throw fault }
      if batch.isLast { return nil }
      self.batch = nil
      ring.giveBack()
    }
  }

  /// A batch of steps. It belongs to the filling thread until it is filled, then to the replayer until it is empty.
  private final class Batch {
    /// The steps from `given` to `count`. Earlier elements were moved out.
    private var steps = UnsafeMutableBufferPointer<RecordingReader.Step>(start: nil, count: 0)
    private var given = 0
    private var count = 0
    private(set) var isLast = false
    private(set) var fault: UnreadableRecording?
    /// Copies of borrowed payloads. The reader reuses its own buffer when it continues.
    private var payloads: [UnsafeMutableRawBufferPointer] = []
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// The size of the lines in a batch: large enough that passing it is cheap, and small compared with the caches.
    private static let byteCount: Int64 = 256 << 10
    /// Payloads take a small part of a batch.
    private static let roomByteCount = 32 << 10

    deinit {
      steps[given..<count].deinitialize()
      steps.deallocate()
      payloads.forEach { $0.deallocate() }
    }

    /// Returns the next step of the batch.
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

    /// Returns the step with a copy of its borrowed payload.
    private func kept(_ step: consuming RecordingReader.Step) -> RecordingReader.Step {
      guard case .decision(let kind, let payload, let isSealed) = step.content else { return step }
      if room.count < payload.count { makeRoom(for: payload.count) }
      let copy = UnsafeMutableRawBufferPointer(rebasing: room[..<payload.count])
      copy.copyMemory(from: payload)
      room = UnsafeMutableRawBufferPointer(rebasing: room[payload.count...])
      return RecordingReader.Step(
        seq: step.seq, at: step.at, file: step.file, line: step.line,
        content: .decision(kind, payload: UnsafeRawBufferPointer(copy), hasCRC: isSealed))
    }

    private func makeRoom(for count: Int) {
      room = .allocate(byteCount: max(count, Self.roomByteCount), alignment: 16)
      payloads.append(room)
    }

    /// Reuses the first block and frees the others.
    private func reuseRoom() {
      while payloads.count > 1 { payloads.removeLast().deallocate() }
      room = payloads.first ?? room
    }
  }
}
