package import ContrailLog
package import ContrailReplay

/// An error that describes why a recording says nothing about alternatives, and what to do.
package enum WhatIfError: Error, Sendable, CustomStringConvertible {
  case unreadable(UnreadableRecording)
  /// The engine of today decides differently, also without an alternative.
  case diverged(path: String, text: String)
  /// A part of the recording is missing.
  case incomplete(path: String, lost: Bool)
  case noRequests(path: String)
  /// The alternative doesn't apply to this recording.
  case inapplicable(path: String, alternative: String, reason: String)
  /// The alternative can't be written as a recording.
  case unwritable(LogError)
  /// The alternative didn't come to an end.
  case endless(path: String, alternative: String)

  package var description: String {
    switch self {
    case .unreadable(let fault): fault.description
    case .diverged(let path, let text):
      "\(path): the recording diverges at \(text), so that differences couldn't be told from those of an alternative. "
        + "Run 'replay run \(path)' to see the divergence, and 'replay accept' to accept an intended change."
    case .incomplete(let path, let lost):
      "\(path): \(lost ? "lines of the recording were lost" : "the last line is truncated"), so that the recorded figures are "
        + "incomplete. Use a recording that was closed in order."
    case .noRequests(let path): "\(path): the recording contains no request. Record a flight with an area or a place."
    case .inapplicable(let path, let alternative, let reason): "\(path): '\(alternative)' doesn't apply: \(reason)."
    case .unwritable(let error): "\(error.file): \(error.reason). \(error.advice)"
    case .endless(let path, let alternative):
      "\(path): '\(alternative)' leads to more than a million lines. Report this with the recording."
    }
  }
}
