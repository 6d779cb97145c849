/// What the command line asks for.
enum Command {
  case fly(Order)
  case help(String?)

  /// Which flights, and how to tell of them.
  struct Order {
    /// These, if there are any.
    var seeds: [UInt64] = []
    var from: UInt64 = 0
    /// So many from there; nil for as many as there is time for.
    var count: UInt64? = 1000
    /// Whether only some seeds are flown, for flights of which there were few so far.
    var isSteered = false
    var minutes: Double?
    var isJSON = false
    /// Prints the script of each flight before it is flown.
    var isVerbose = false
    /// Where the recordings of flights that fail go.
    var folder = "simulation-failures"
    /// Where the log of every flight goes; nil for nowhere.
    var keptFolder: String?
    /// Where the tape of every flight goes, of flights that the browser's client can fly; nil for nowhere.
    var tapeFolder: String?
    /// Flies one tablet for so many days instead.
    var days: Int?
    /// After so many failures it is enough.
    var maximumFailures = 5
  }

  static let usage = """
    usage: Scripts/simulate [SEED…] [--from SEED] [--count N] [--minutes N] [--steer] [--json] [--verbose]
                             [--out FOLDER] [--keep FOLDER] [--tapes FOLDER]
           Scripts/simulate --days N [SEED]
           Scripts/simulate --apps [SEED…] [--from SEED] [--count N] [--minutes N]
           Scripts/simulate --kills N | --mutants N

      SEED…          flies these seeds
      --from SEED    begins with this seed; 0 unless told
      --count N      flies so many; 1,000 unless told
      --minutes N    flies for so long
      --steer        flies one of four seeds: the one whose faults and changes were the rarest so far
      --json         prints the counts as JSON
      --verbose      prints each script before it is flown
      --out FOLDER   where the recordings of flights that fail go; simulation-failures unless told
      --keep FOLDER  writes the log of every flight there
      --tapes FOLDER writes there what each flight gives to the client and gets from it, for Scripts/wasm;
                     without what a browser doesn't have
      --days N       flies one tablet for so many days, and says what grows
      --apps         flies the client of an app beside a model of it
      --kills N      kills the processes that write log and database so many times in all
      --mutants N    edits so many signed logs without the key, and verifies so many honest ones
    """

  init(_ arguments: [String]) {
    var order = Order()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        self = .help(nil)
        return
      case "--json": order.isJSON = true
      case "--steer": order.isSteered = true
      case "--verbose": order.isVerbose = true
      case "--from", "--count", "--minutes", "--out", "--keep", "--tapes", "--days":
        guard let value = rest.popFirst(), order.set(argument, value) else {
          self = .help("\(argument) needs a value")
          return
        }
      default:
        guard let seed = UInt64(argument) else {
          self = .help("'\(argument)' is no seed and no option")
          return
        }
        order.seeds.append(seed)
      }
    }
    self = .fly(order)
  }
}

extension Command.Order {
  fileprivate mutating func set(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--out":
      folder = value
      return true
    case "--keep":
      keptFolder = value
      return true
    case "--tapes":
      tapeFolder = value
      return true
    case "--minutes":
      guard let minutes = Double(value), minutes > 0 else { return false }
      self.minutes = minutes
      count = nil
      return true
    case "--days":
      guard let days = Int(value), (1...400).contains(days) else { return false }
      self.days = days
      return true
    default:
      guard let number = UInt64(value) else { return false }
      if option == "--from" { from = number } else { count = number }
      return true
    }
  }
}
