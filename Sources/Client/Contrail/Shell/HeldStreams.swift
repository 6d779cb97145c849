import ContrailEngine
import ContrailHTTP
import ContrailWire

/// The stream of answers to held requests, while it is open.
actor HeldStreams {
  /// An open stream.
  struct Stream {
    var answer: TransportAnswer
    var body: TransportBody
    var reader: CompactStream

    /// Returns the next answer; nil at the end of the stream.
    mutating func next() async throws(TransportError) -> CompactStream.Part? {
      while true {
        do throws(CompactError) {
          if let part = try reader.next() { return part }
        } catch {
          throw TransportError(.malformed, "the stream of answers is damaged: \(error)")
        }
        guard let block = try await body.next() else { return nil }
        reader.append(block)
      }
    }
  }

  private var open: (held: HeldRequests, stream: Stream, number: Int)?
  private var count = 0
  /// Whether streams arrive. A proxy that collects answers until they are complete loses them.
  private(set) var arrive = true

  /// Takes the stream whose next answer is that to these requests; nil if there is none. Another stream is closed.
  func take(_ held: HeldRequests) -> Stream? {
    defer { open = nil }
    return open.flatMap { $0.held == held ? $0.stream : nil }
  }

  /// Keeps a stream for the requests that the server holds now.
  func keep(_ stream: Stream, for held: HeldRequests) {
    count += 1
    let number = count
    open = (held, stream, number)
    Task {
      try? await Task.sleep(for: .seconds(HeldRequests.idleSeconds))
      closeIfIdle(number)
    }
  }

  private func closeIfIdle(_ number: Int) {
    if open?.number == number { open = nil }
  }

  /// Notes that no answer of a stream arrived in its time.
  func giveUp() { arrive = false }

  /// Notes that the link may be another one.
  func relink() { arrive = true }
}
