import ArgumentParser
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
    Terminal.ignoreFileSizeSignal()
    do {
      if let argument = CommandLine.arguments.dropFirst().first { try CommandName.check(argument) }
      var command = try parseAsRoot()
      do {
        try command.run()
      } catch let error as ValidationError {
        // Otherwise the usage would be that of 'replay' instead of the command's.
        Terminal.clearProgress()
        Terminal.write("Error: \(error.message)\nUsage: \(usageString(for: type(of: command)))\n")
        exit(withError: ExitCode.validationFailure)
      }
    } catch let failure as Failure {
      Terminal.clearProgress()
      Terminal.write("Error: \(failure.message)\n")
      exit(withError: ExitCode(failure.exitCode))
    } catch {
      let status = exitCode(for: error)
      let message = fullMessage(for: error)
      // Help and versions go to standard output.
      guard !status.isSuccess, !message.isEmpty else { exit(withError: error) }
      Terminal.clearProgress()
      Terminal.write(message + "\n")
      exit(withError: status)
    }
  }
}
