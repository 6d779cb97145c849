/// An error in an input of a program: an option of a command, or a line of a small file.
package struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the text should be.
  package enum Code: String, Hashable, Sendable {
    case database
    case fault
    case feedSource
    case keyFile
    case model
    case option
    case row
    case scenario
    case timelinePosition
    case track
  }

  package let code: Code
  /// The option, the file or the text in quotes; empty if the caller or the reason names it.
  package let place: String
  /// The one-based line number in a file; nil for the whole text.
  package let line: Int?
  /// The reason and the expected form, as a clause without a full stop.
  package let reason: String

  package init(_ code: Code, at place: String = "", line: Int? = nil, _ reason: String) {
    (self.code, self.place, self.line, self.reason) = (code, place, line, reason)
  }

  /// Creates the error of an invalid text, which it quotes.
  package init(_ code: Code, in text: String, _ reason: String) {
    self.init(code, at: "'\(text)'", reason)
  }

  package var description: String {
    switch (place.isEmpty, line) {
    case (true, nil): reason
    case (true, let line?): "line \(line): \(reason)"
    case (false, nil): "\(place): \(reason)"
    case (false, let line?): "\(place):\(line): \(reason)"
    }
  }
}
