/// Why a cycle's airports can't be built: which kind of fault, where, and why. Rows that can't be read are never fatal; see
/// ``BuildReport/malformed``.
public struct AirportBuildError: Error, Hashable, Sendable {
  /// The kind of fault. The names are stable: scripts and tests may rely on them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No source was given.
    case noSource
    /// A file of a source isn't where it should be.
    case missingFile
    /// The system refused to read a file, or what it is packed with can't be undone.
    case unreadable
    /// The file isn't the table that it should be: a column is missing, or its first line isn't CSV.
    case notTheTable
    /// There is no airport to write.
    case noAirports
    /// The airports can't be put into a file, or the system refused to write it.
    case unwritable
  }

  /// The kind of fault.
  public let code: Code
  /// The file or directory at fault.
  public let file: String
  /// Why, in a clause without a full stop.
  public let reason: String

  init(_ code: Code, file: String, reason: String) {
    self.code = code
    self.file = file
    self.reason = reason
  }

  /// What to do about it, in a sentence.
  public var advice: String {
    switch code {
    case .noSource: "Give NASR's directory, OurAirports' files, or both."
    case .missingFile: "Fetch the source again, or name its files."
    case .unreadable: "Check the file and the rights to it, or fetch it again."
    case .notTheTable: "Check that this is the table that it is taken for."
    case .noAirports: "Look at the report for why every airport was dropped."
    case .unwritable: "Check the place to write to."
    }
  }
}

extension AirportBuildError: CustomStringConvertible {
  public var description: String {
    "\(file.isEmpty ? "" : "\(file): ")\(code.rawValue): \(reason). \(advice)"
  }
}
