import ArgumentParser
import ContrailLog
import Foundation

/// Prints text with its control characters escaped; see `String.escapingControls(keepsLines:)`.
///
/// It takes the place of the standard library's function in this program.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map { "\($0)" }.joined(separator: separator)
  Swift.print(text.escapingControls(), terminator: terminator)
}

/// Prints text to standard error like `print(_:separator:terminator:)`.
func printError(_ text: String) {
  FileHandle.standardError.write(Data((text.escapingControls() + "\n").utf8))
}

extension ContrailProgram {
  /// Parses the arguments and runs the command.
  static func main() async {
    ignoreFileSizeSignal()
    do {
      var command = try parseAsRoot()
      do {
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      } catch let error as ValidationError {
        // Otherwise the usage would be that of 'contrail' instead of the command's.
        printError("Error: \(error.message)\nUsage: \(usageString(for: type(of: command)))")
        exit(withError: ExitCode.validationFailure)
      }
    } catch {
      let status = exitCode(for: error)
      let message = fullMessage(for: error)
      // Help and versions go to standard output.
      guard !status.isSuccess, !message.isEmpty else { exit(withError: error) }
      printError(message)
      exit(withError: status)
    }
  }

  /// Lets a write beyond the limit of file sizes fail with an error, which names the file, instead of ending the process.
  private static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }
}
