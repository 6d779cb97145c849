#if os(Linux)
  import Foundation

  /// A program under hostile conditions: each of its commands, as the program itself lists them.
  ///
  /// A test gives arguments for each command. A command without arguments, or arguments without a command, is a failure,
  /// so a new command can't be forgotten.
  package struct HostileProgram {
    /// Arguments with which a command succeeds, except that a file is missing where it writes one.
    package struct Sample {
      package var positional: [String]
      package var options: [(name: String, value: String)]
      package var flags: [String]

      package init(_ positional: [String] = [], _ options: [(name: String, value: String)] = [], flags: [String] = []) {
        self.positional = positional
        self.options = options
        self.flags = flags
      }

      /// The arguments on a command line.
      package var arguments: [String] { positional + options.flatMap { ["--" + $0.name, $0.value] } + flags }

      /// The arguments with another path.
      func with(_ path: String, for place: Place) -> [String] {
        var sample = self
        switch place {
        case .positional(let index):
          while sample.positional.count <= index { sample.positional.append("") }
          sample.positional[index] = path
        case .option(let name):
          sample.options.removeAll { $0.name == name }
          sample.options.append((name, path))
        }
        return sample.arguments
      }
    }

    /// A place of a path on the command line.
    enum Place: CustomStringConvertible {
      case positional(Int)
      case option(String)

      var description: String {
        switch self {
        case .positional(let index): "argument \(index + 1)"
        case .option(let name): "--\(name)"
        }
      }
    }

    /// A command that has no further commands.
    struct Command {
      var words: [String]
      var places: [Place]
      var name: String { words.joined(separator: " ") }
    }

    /// What a run did, for the message of a failure.
    package struct Outcome {
      /// The command line without the program.
      package var line: String
      package var run: BuiltProgram.Run
    }

    private let program: BuiltProgram
    private let directory: String
    private let environment: [String: String]
    private let samples: [(command: Command, sample: Sample)]
    /// Commands of the program or of the test that the other doesn't have.
    package let unmatched: [String]

    /// The time after which a command is said to hang.
    private static let limitSeconds = 120

    /// - Parameters:
    ///   - samples: Arguments by the words of a command.
    ///   - directory: The directory in which the commands run.
    package init(
      _ program: BuiltProgram, _ samples: [String: Sample], in directory: String, environment: [String: String] = [:]
    ) throws {
      self.program = program
      self.directory = directory
      self.environment = environment
      let help = try program.run(["--experimental-dump-help"], in: directory)
      let commands = try Self.commands(Data(help.output.utf8))
      self.samples = commands.compactMap { command in samples[command.name].map { (command, $0) } }
      unmatched = Set(commands.map(\.name)).symmetricDifference(samples.keys).sorted()
    }

    private static func commands(_ json: Data) throws -> [Command] {
      struct Dump: Decodable { var command: Node }
      struct Node: Decodable {
        var commandName: String
        var subcommands: [Node]?
        var arguments: [Argument]?
      }
      struct Argument: Decodable {
        struct Name: Decodable {
          var kind: String
          var name: String
        }
        struct Completion: Decodable {
          private enum CodingKeys: String, CodingKey { case file, directory, custom }
          var isPath: Bool
          init(from decoder: any Decoder) throws {
            let keys = try? decoder.container(keyedBy: CodingKeys.self)
            isPath = keys.map { $0.contains(.file) || $0.contains(.directory) || $0.contains(.custom) } ?? false
          }
        }
        var kind: String
        var names: [Name]?
        var completionKind: Completion?
      }
      func collect(_ node: Node, _ words: [String]) -> [Command] {
        let below = (node.subcommands ?? []).filter { $0.commandName != "help" }
        if !below.isEmpty { return below.flatMap { collect($0, words + [$0.commandName]) } }
        var places: [Place] = []
        var position = 0
        for argument in node.arguments ?? [] {
          let isPath = argument.completionKind?.isPath ?? false
          switch argument.kind {
          case "positional":
            if isPath { places.append(.positional(position)) }
            position += 1
          case "option" where isPath:
            if let name = argument.names?.first(where: { $0.kind == "long" }) { places.append(.option(name.name)) }
          default: break
          }
        }
        return [Command(words: words, places: places)]
      }
      return collect(try JSONDecoder().decode(Dump.self, from: json).command, [])
    }

    private func run(_ arguments: [String], after prelude: String? = nil) throws -> Outcome {
      let run = try program.run(
        arguments, in: directory, environment: environment, after: prelude, killedAfter: Self.limitSeconds)
      return Outcome(line: arguments.joined(separator: " "), run: run)
    }

    /// Runs each command as the test gives it, and with `--help`, after what a shell does first.
    package func runAll(after prelude: String? = nil, withHelp: Bool = false) throws -> [Outcome] {
      var outcomes: [Outcome] = []
      for (command, sample) in samples {
        for arguments in withHelp ? [sample.arguments, ["--help"]] : [sample.arguments] {
          outcomes.append(try run(command.words + arguments, after: prelude))
        }
      }
      return outcomes
    }

    /// Runs each command once for each of its paths, with another path there.
    package func runAll(withPath path: String) throws -> [Outcome] {
      var outcomes: [Outcome] = []
      for (command, sample) in samples {
        for place in command.places { outcomes.append(try run(command.words + sample.with(path, for: place))) }
      }
      return outcomes
    }
  }
#endif
