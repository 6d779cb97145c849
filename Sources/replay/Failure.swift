import ArgumentParser
import ContrailReplay

/// What ends a command: a message for standard error, and the status that the program exits with.
struct Failure: Error {
  var message: String
  var exitCode: Int32

  static func unreadable(_ fault: UnreadableRecording) -> Failure {
    Failure(message: fault.description, exitCode: 2)
  }
}

extension Replay {
  /// Runs the command that was given.
  static func main() {
    do {
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
