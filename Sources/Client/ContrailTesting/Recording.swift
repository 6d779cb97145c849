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
  /// - Throws: ``RecordingError`` if it can't be read, or if the engine decides differently anywhere.
  /// - Complexity: O(*n*) in the size of the recording. One line and the state are in memory.
  public func verify() throws(RecordingError) {
    let result = RecordingResult(replaying: url.path)
    switch result.outcome {
    case .same: return
    case .unreadable(let fault): throw RecordingError(fault)
    case .diverged(let divergence, _):
      throw RecordingError(
        code: .diverged, place: "\(divergence.file):\(divergence.line)",
        message: "The engine decides differently at seq \(divergence.seq).",
        advice: "Run 'replay run' to see the difference, and 'replay accept' to accept an intended change.")
    }
  }
}

/// An error of a recording: what happened, where, and what to do.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. The raw values are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The recording can't be read.
    case unreadable
    /// The engine decides differently than the recorded one.
    case diverged
    /// The recording contains no input.
    case empty
  }

  public let code: Code
  /// The file, with its line if it is known.
  public let place: String
  public let message: String
  public let advice: String

  public var description: String { "\(place): \(message) \(advice)" }

  init(code: Code, place: String, message: String, advice: String) {
    (self.code, self.place, self.message, self.advice) = (code, place, message, advice)
  }

  init(_ fault: UnreadableRecording) {
    self.init(
      code: .unreadable, place: fault.line.map { "\(fault.file):\($0)" } ?? fault.file, message: "\(fault.reason).",
      advice: fault.advice)
  }
}
