import ArgumentParser
import ContrailLog

/// The names of the commands.
enum CommandName {
  /// Throws if the first argument is no command, option or file, but looks like a command with a typing error.
  ///
  /// Otherwise it would be taken for a recording.
  static func check(_ argument: String) throws {
    let names = Replay.configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
    guard !names.contains(argument), let meant = names.first(where: { isNear(argument, $0) }),
      (try? POSIXStorage().kind(of: argument)) == .nothing
    else { return }
    throw ValidationError("There is no command and no recording '\(argument)'. Did you mean '\(meant)'?")
  }

  /// Whether one letter is missing, added or another, or two letters beside each other are exchanged.
  private static func isNear(_ word: String, _ name: String) -> Bool {
    var (a, b) = (Array(word)[...], Array(name)[...])
    while let first = a.first, first == b.first { (a, b) = (a.dropFirst(), b.dropFirst()) }
    while let last = a.last, last == b.last { (a, b) = (a.dropLast(), b.dropLast()) }
    return a.count + b.count == 1 || (a.count == 1 && b.count == 1) || (a.count == 2 && b.elementsEqual(a.reversed()))
  }
}
