#if os(Linux)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Runs a program whose power fails at a chosen system call; see `Tests/Support/PowerLoss/power-loss.c`.
  package struct PowerLoss {
    /// The library, compiled once; nil where there is no C compiler.
    package static let library: String? = {
      let source = PackageFolder.file("Tests/Support/PowerLoss/power-loss.c")
      let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      guard
        let compiler = paths.map({ "\($0)/clang" }).first(where: { FileManager.default.isExecutableFile(atPath: $0) }),
        let folder = try? TemporaryDirectory()
      else { return nil }
      folders.append(folder)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: compiler)
      let output = folder.file("power-loss.so")
      process.arguments = ["-O1", "-shared", "-fPIC", "-o", output, source.path, "-ldl", "-lpthread"]
      guard (try? process.run()) != nil else { return nil }
      process.waitUntilExit()
      return process.terminationStatus == 0 ? output : nil
    }()

    /// Keeps the library's directory for as long as the tests run.
    nonisolated(unsafe) private static var folders: [TemporaryDirectory] = []

    private let program: BuiltProgram
    private let arguments: [String]
    private let directory: String
    private let environment: [String: String]

    /// Prepares to run a program.
    ///
    /// - Parameter directory: The directory whose files are watched, in which the program runs.
    package init(
      _ program: BuiltProgram, _ arguments: [String], in directory: String, environment: [String: String] = [:]
    ) {
      self.program = program
      self.arguments = arguments
      self.directory = directory
      self.environment = environment
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - call: The number of the call that changes a file at which the power fails; 0 for none.
    ///   - seed: What is lost of the changes that weren't synced; 0 for nothing.
    package func run(failingAt call: Int, seed: UInt64) throws -> BuiltProgram.Run {
      try program.run(
        arguments, in: directory,
        environment: environment.merging([
          "LD_PRELOAD": Self.library ?? "", "CONTRAIL_POWER_ROOT": directory, "CONTRAIL_POWER_AT": "\(call)",
          "CONTRAIL_POWER_SEED": "\(seed)",
        ]) { $1 })
    }

    /// The program failed by itself, without a power failure.
    package struct Failure: Error {
      package var run: BuiltProgram.Run
    }

    /// Runs the program to its end, and counts the calls that change a file.
    package func calls() throws -> Int {
      let counts = try TemporaryDirectory()
      let run = try program.run(
        arguments, in: directory,
        environment: environment.merging([
          "LD_PRELOAD": Self.library ?? "", "CONTRAIL_POWER_ROOT": directory, "CONTRAIL_POWER_AT": "0",
          "CONTRAIL_POWER_COUNT": counts.file("count"),
        ]) { $1 })
      guard run.status == 0, let count = try? TemporaryDirectory.contents(counts.file("count")) else {
        throw Failure(run: run)
      }
      return Int(String(decoding: count, as: UTF8.self).filter { $0.isNumber }) ?? 0
    }

    /// The calls at which the power fails: all of them, or so many at even distances, and the seeds for each.
    ///
    /// `CONTRAIL_KILLS` sets another number.
    package static func points(_ calls: Int, atMost limit: Int) -> [(call: Int, seed: UInt64)] {
      let wanted = ProcessInfo.processInfo.environment["CONTRAIL_KILLS"].flatMap { Int($0) } ?? limit
      let places = min(calls, max(wanted / 2, 1))
      let rounds = max(2, wanted / max(places, 1))
      return (0..<places).flatMap { place in
        (0..<rounds).map { round in
          (1 + place * calls / places, round == 0 ? 0 : UInt64(place * rounds + round))
        }
      }
    }
  }
#endif
