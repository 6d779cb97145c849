import ContrailLog
import ContrailReplay
public import Foundation

/// A recorded flight: the log of a client, as a `.jsonl` or `.jsonl.xz` file or a folder.
///
/// In the tests of an app, one line asserts that it still replays the same:
///
/// ```swift
/// try Recording(url).verify()
/// ```
public struct Recording: Sendable, Hashable {
  /// The file or folder.
  public let url: URL

  /// Names a recording. Nothing is read.
  public init(_ url: URL) {
    self.url = url
  }

  /// Replays the recording with the engine of this app.
  ///
  /// - Throws: ``TestingError`` if it can't be read, or if the engine decides differently anywhere.
  /// - Complexity: O(*n*) in the size of the recording. One line and the state are in memory.
  public func verify() throws(TestingError) {
    let result = RecordingResult(replaying: url.path)
    switch result.outcome {
    case .same: return
    case .unreadable(let fault): throw TestingError(fault)
    case .diverged(let divergence, _):
      throw TestingError(
        code: .diverged, place: "\(divergence.file):\(divergence.line)",
        message: "The engine decides differently at seq \(divergence.seq).",
        advice: "Run 'replay run' to see the difference, and 'replay accept' to accept an intended change.")
    }
  }
}
