#if os(macOS) || os(Linux)
  public import Foundation

  /// One of the package's programs as it was built, run as a process of its own.
  public struct BuiltProgram: Sendable {
    /// What a process printed where, and with which status it ended.
    public struct Outcome: Sendable {
      public var output: String
      public var error: String
      public var status: Int32
    }

    /// There is no such program.
    public struct Missing: Error {
      public var name: String
    }

    /// Where the program lies.
    public let file: URL

    /// The program lies beside the tests, or above them where they are a bundle.
    public init(_ name: String) throws {
      for argument in CommandLine.arguments where argument.contains("/") {
        var place = URL(fileURLWithPath: argument)
        for _ in 0..<5 {
          place.deleteLastPathComponent()
          let candidate = place.appendingPathComponent(name)
          var isDirectory: ObjCBool = false
          if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory), !isDirectory.boolValue {
            file = candidate
            return
          }
        }
      }
      throw Missing(name: name)
    }

    /// Runs the program to its end.
    ///
    /// - Parameter environment: What it sees beside this process's own environment.
    public func run(
      _ arguments: [String], in directory: String, environment: [String: String] = [:]
    ) throws -> Outcome {
      let process = Process()
      process.executableURL = file
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      let (output, error) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = error
      try process.run()
      let (out, err) = (
        output.fileHandleForReading.readDataToEndOfFile(), error.fileHandleForReading.readDataToEndOfFile()
      )
      process.waitUntilExit()
      return Outcome(
        output: String(decoding: out, as: UTF8.self), error: String(decoding: err, as: UTF8.self),
        status: process.terminationStatus)
    }
  }
#endif
