import ArgumentParser
import ContrailLog
import ContrailWorld

/// The `contrail keys` command: makes API keys.
struct Keys: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make an API key, and the line for a file of keys.",
    discussion: """
      The key is printed once, to standard error. The line for the file goes to standard output and holds a hash of \
      the key, so the file doesn't give the keys away.

      EXAMPLES
        contrail keys tablets --expires 2027-01-31 --rate 20 >> keys
        chmod 600 keys
        contrail serve --live --log /var/lib/contrail --keys keys

      EXIT STATUS
        0   success
        2   standard output can't be written
        64  invalid arguments
      """)

  @Argument(help: "The name of the key, which logs and uploads have instead of the key.")
  var name: String

  @Option(help: ArgumentHelp("The first day on which the key isn't accepted any more.", valueName: "date"))
  var expires: String?

  @Option(help: ArgumentHelp("The requests per second.", valueName: "number"))
  var rate: Int?

  @Option(help: ArgumentHelp("The requests per day.", valueName: "number"))
  var quota: Int?

  @Option(help: ArgumentHelp("The uploads per day.", valueName: "number"))
  var uploads: Int?

  @Option(help: ArgumentHelp("The areas per day that get a handle.", valueName: "number"))
  var areas: Int?

  @Option(help: ArgumentHelp("The requests that are held at a time.", valueName: "number"))
  var holds: Int?

  @Option(help: ArgumentHelp("The requests at a time, with those that are held.", valueName: "number"))
  var concurrent: Int?

  func run() throws {
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw ValidationError("'\(name)' is invalid. Use letters, digits and hyphens.")
    }
    var generator = SystemRandomNumberGenerator()
    let key = (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
    var line = "\(name) \(KeyRing.hash(key))"
    if let expires { line += " expires=\(expires)" }
    if let rate { line += " rate=\(rate)" }
    if let quota { line += " quota=\(quota)" }
    if let uploads { line += " uploads=\(uploads)" }
    if let areas { line += " areas=\(areas)" }
    if let holds { line += " holds=\(holds)" }
    if let concurrent { line += " concurrent=\(concurrent)" }
    do throws(InputError) {
      _ = try KeyRing.keys(line, path: "")
    } catch {
      throw ValidationError("\(error.reason).")
    }
    print(line)
    printError("The key of \(name), which isn't shown again: \(key)")
  }
}
