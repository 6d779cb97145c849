import ContrailLog

/// Prints text with its control characters escaped; see `ProgramOutput`.
///
/// It takes the place of the standard library's function in this program.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map { "\($0)" }.joined(separator: separator)
  ProgramOutput.write(text + terminator)
}
