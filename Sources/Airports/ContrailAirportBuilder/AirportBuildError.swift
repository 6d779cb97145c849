/// An error of a build, with its code, file, reason and advice.
///
/// Unreadable rows never cause an error; see ``BuildReport/malformed``.
public struct AirportBuildError: Error, Hashable, Sendable {
  /// The kind of error. The raw values are stable, so scripts and tests can rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No source is given.
    case noSource
    /// A file of a source is missing.
    case missingFile
    /// A file can't be read or decompressed.
    case unreadable
    /// The file isn't the expected table: a column is missing, or the first line isn't CSV.
    case notTheTable
    /// There are no airports to write.
    case noAirports
    /// The airports can't be encoded, or the file can't be written.
    case unwritable
  }

  /// The kind of error.
  public let code: Code
  /// The path of the file or directory.
  public let file: String
  /// The reason, as a clause without a full stop.
  public let reason: String

  init(_ code: Code, file: String, reason: String) {
    self.code = code
    self.file = file
    self.reason = reason
  }

  /// The suggested action, as a sentence.
  public var advice: String {
    switch code {
    case .noSource: "Give the NASR directory, the OurAirports files, or both."
    case .missingFile: "Download the source again, or give the paths of its files."
    case .unreadable: "Check the file and its permissions, or download it again."
    case .notTheTable: "Check that the file is the expected table."
    case .noAirports: "Every airport was dropped. Check the options and the sources."
    case .unwritable: "Check the output path."
    }
  }
}

extension AirportBuildError: CustomStringConvertible {
  public var description: String {
    "\(file.isEmpty ? "" : "\(file): ")\(code.rawValue): \(reason). \(advice)"
  }
}
