#if os(macOS) || os(Linux)
  package import Foundation

  /// One of the package's programs as it was built, or one of its scripts, run as a process of its own.
  package struct BuiltProgram: Sendable {
    /// What a process printed where, and with which status it ended.
    package struct Run: Sendable {
      package var output: String
      package var error: String
      package var status: Int32
    }

    /// There is no such program.
    package struct Missing: Error {
      package var name: String
    }

    /// Where the program lies.
    package let file: URL

    /// The program lies beside the tests, or above them where they are a bundle.
    package init(_ name: String) throws {
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

    /// A script of the repository.
    package init(script name: String) {
      file = PackageFolder.file("Scripts/" + name)
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - environment: What it sees beside this process's own environment.
    ///   - prelude: What a shell does first, such as `ulimit -f 1`.
    ///   - seconds: The time after which the process is killed, so that its status is that of the signal.
    package func run(
      _ arguments: [String], in directory: String, environment: [String: String] = [:], after prelude: String? = nil,
      killedAfter seconds: Int? = nil
    ) throws -> Run {
      let process = Process()
      process.executableURL = file
      process.arguments = arguments
      if let prelude {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\(prelude); exec \"$0\" \"$@\"", file.path] + arguments
      }
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      let (output, error) = (Pipe(), Pipe())
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = error
      try process.run()
      if let seconds {
        let number = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
          if process.isRunning { kill(number, SIGKILL) }
        }
      }
      let (out, err) = (
        output.fileHandleForReading.readDataToEndOfFile(), error.fileHandleForReading.readDataToEndOfFile()
      )
      process.waitUntilExit()
      return Run(
        output: String(decoding: out, as: UTF8.self), error: String(decoding: err, as: UTF8.self),
        status: process.terminationStatus)
    }
  }
#endif
