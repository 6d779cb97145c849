/// An error that prevents writing a page.
package struct PageError: Error, Hashable, Sendable {
  /// A stable code.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// A file that the page consists of is missing.
    case fileMissing
    /// A module of the page uses a form that can't be put into one script.
    case unsupportedModule
    /// A recording can't be read at all.
    case unreadable
    /// It is the log of a service.
    case ofService
    /// The recordings are too large for one file.
    case tooLarge
    /// The data couldn't be compressed.
    case notCompressed
    /// The page can't be written, or would replace another file.
    case notWritten
  }

  package let code: Code
  /// The affected file.
  package let file: String
  /// The one-based number of the affected line, if any.
  package let line: Int?
  /// The reason, as a clause without a full stop.
  package let reason: String

  package init(_ code: Code, file: String, line: Int? = nil, reason: String) {
    self.code = code
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// The suggested action, as a sentence.
  package var advice: String {
    switch code {
    case .fileMissing: "Run Scripts/page-files and build again."
    case .unsupportedModule: "Write it with named imports of constants, functions and classes."
    case .unreadable: "Check that the path exists and that this process may read it."
    case .ofService: "Read it with: contrail log."
    case .tooLarge: "Give a single segment of the recording, or replay it with 'replay run'."
    case .notCompressed: "Free memory and try again."
    case .notWritten: "Check the directory, the free disk space, and that no other file has this name."
    }
  }
}

extension PageError: CustomStringConvertible {
  package var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): \(code.rawValue): \(reason). \(advice)"
  }
}
