import ArgumentParser
import ContrailLog

/// Prints text with its control characters escaped; see `ProgramOutput`.
///
/// It takes the place of the standard library's function in this program.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map { "\($0)" }.joined(separator: separator)
  ProgramOutput.write(text + terminator)
}

/// Prints text to standard error like `print(_:separator:terminator:)`.
func printError(_ text: String) {
  ProgramOutput.writeError(text + "\n")
}

extension ContrailProgram {
  /// Parses the arguments and runs the command.
  static func main() async {
    ProgramOutput.prepare()
    do {
      var command = try parseAsRoot()
      do {
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
        try ProgramOutput.finish()
      } catch let error as ValidationError {
        // Otherwise the usage would be that of 'contrail' instead of the command's.
        printError("Error: \(error.message)\nUsage: \(usageString(for: type(of: command)))")
        exit(withError: ExitCode.validationFailure)
      }
    } catch {
      end(with: error)
    }
  }

  /// Ends the process with an error's message and exit status. A failed write to standard output comes before another
  /// error.
  private static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let message = fullMessage(for: error)
    // Help and versions go to standard output.
    if status.isSuccess, !message.isEmpty { ProgramOutput.write(message + "\n", escaped: false) }
    endIfOutputFailed()
    if !status.isSuccess, !message.isEmpty { printError(message) }
    exit(withError: status)
  }

  /// Ends the process if a write to standard output has failed.
  static func endIfOutputFailed() {
    do throws(ProgramOutput.Failure) {
      try ProgramOutput.finish()
    } catch {
      if error.isBrokenPipe { ProgramOutput.endByBrokenPipe() }
      printError("Error: \(error)")
      exit(withError: ExitCode(2))
    }
  }
}
