import ContrailReplay

/// An error of a recording or of a world: what happened, where, and what to do.
public struct TestingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. The raw values are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The recording can't be read.
    case unreadable
    /// The engine decides differently than the recorded one.
    case diverged
    /// The recording contains no input.
    case empty
    /// The text of a fault is invalid.
    case invalidFault
    /// A client of a world doesn't come to rest.
    case restless
  }

  public let code: Code
  /// The file of a recording, with its line if it is known, or nil for a world.
  public let place: String?
  public let message: String
  public let advice: String

  public var description: String { "\(place.map { "\($0): " } ?? "")\(message) \(advice)" }

  init(code: Code, place: String? = nil, message: String, advice: String) {
    (self.code, self.place, self.message, self.advice) = (code, place, message, advice)
  }

  init(_ fault: UnreadableRecording) {
    self.init(
      code: .unreadable, place: fault.line.map { "\(fault.file):\($0)" } ?? fault.file, message: "\(fault.reason).",
      advice: fault.advice)
  }
}
