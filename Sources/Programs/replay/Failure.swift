import ArgumentParser
import ContrailLog
import ContrailReplay

/// An error that ends a command, with its message and exit code.
struct Failure: Error {
  var message: String
  var exitCode: Int32

  static func unreadable(_ fault: UnreadableRecording) -> Failure {
    Failure(message: fault.description, exitCode: 2)
  }
}

extension Replay {
  /// Parses the arguments and runs the command.
  static func main() {
    ProgramOutput.prepare()
    do {
      if let argument = CommandLine.arguments.dropFirst().first { try CommandName.check(argument) }
      var command = try parseAsRoot()
      do {
        try command.run()
        try ProgramOutput.finish()
      } catch let error as ValidationError {
        // Otherwise the usage would be that of 'replay' instead of the command's.
        Terminal.clearProgress()
        Terminal.write("Error: \(error.message)\nUsage: \(usageString(for: type(of: command)))\n")
        exit(withError: ExitCode.validationFailure)
      }
    } catch {
      end(with: error)
    }
  }

  /// Ends the process with an error's message and exit status. A failed write to standard output comes before another
  /// error.
  private static func end(with error: any Error) -> Never {
    let failure = error as? Failure
    let status = failure.map { ExitCode($0.exitCode) } ?? exitCode(for: error)
    let message = failure.map { "Error: \($0.message)" } ?? fullMessage(for: error)
    Terminal.clearProgress()
    // Help and versions go to standard output.
    if status.isSuccess, !message.isEmpty { ProgramOutput.write(message + "\n", escaped: false) }
    do throws(ProgramOutput.Failure) {
      try ProgramOutput.finish()
    } catch {
      if error.isBrokenPipe { ProgramOutput.endByBrokenPipe() }
      Terminal.write("Error: \(error)\n")
      exit(withError: ExitCode(2))
    }
    if !status.isSuccess, !message.isEmpty { Terminal.write(message + "\n") }
    exit(withError: status)
  }
}
