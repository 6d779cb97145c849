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
      try command.run()
    } catch let failure as Failure {
      Terminal.clearProgress()
      Terminal.write("Error: \(failure.message)\n")
      exit(withError: ExitCode(failure.exitCode))
    } catch {
      exit(withError: error)
    }
  }
}
