import ArgumentParser
import ContrailLog
import ContrailReplay

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the speed of replaying recordings.",
    discussion: """
      Prints the median of several repetitions and the median absolute deviation. Build with '-c release': the results of \
      a debug build are meaningless.

      EXAMPLES
        swift run -c release replay bench
        replay bench flight.jsonl --stages --repetitions 9
        replay bench --scale 64 --stages            a generated flight of 64 MiB
        replay bench --scale 64 --threads 2 --json
        replay bench --growth                       sizes from 1 MiB to 1 GiB

      EXIT STATUS
        0   success
        2   a recording can't be read, or none was found
        64  invalid arguments
      """)

  @Argument(help: "Recordings or folders of recordings. Default: the folder Recordings.", completion: .file())
  var files: [String] = []

  @Option(help: "The number of timed repetitions of each recording.")
  var repetitions = 5

  @Option(help: "The number of untimed repetitions before them.")
  var warmUp = 1

  @Option(help: "The number of threads: 1, or 2 to read and decode on a separate thread.")
  var threads = 1

  @Option(help: "Measure a generated flight of this size instead, in MiB.")
  var scale: Int64?

  @Flag(help: "Measure sizes from 1 MiB to 1 GiB and print a table.")
  var growth = false

  @Flag(help: "Show the time of each stage: read, crc, frame, decode, apply, plan, digest.")
  var stages = false

  @Flag(help: "Print the results as one JSON array.")
  var json = false

  func validate() throws {
    guard (1...1000).contains(repetitions) else {
      throw ValidationError("--repetitions: \(repetitions) is out of range. Use 1 to 1000.")
    }
    guard (0...1000).contains(warmUp) else {
      throw ValidationError("--warm-up: \(warmUp) is out of range. Use 0 to 1000.")
    }
    guard (1...2).contains(threads) else { throw ValidationError("--threads: \(threads) is out of range. Use 1 or 2.") }
    guard (1...65_536).contains(scale ?? 1) else {
      throw ValidationError("--scale: \(scale ?? 1) MiB is out of range. Use 1 to 65536.")
    }
    guard files.isEmpty || (scale == nil && !growth) else {
      throw ValidationError("Recordings can't be combined with --scale or --growth. Give one or the other.")
    }
  }

  func run() throws {
    #if DEBUG
      Terminal.write("Note: this is a debug build. Build with -c release for meaningful results.\n")
    #endif
    if growth { return try runGrowth() }
    var benches: [ReplayBench] = []
    func add(_ bench: ReplayBench) {
      benches.append(bench)
      Terminal.clearProgress()
      if json { return }
      print(Words.page(bench.text), terminator: "")
      Terminal.note(bench.setAside)
    }
    if let scale {
      add(try withSample(scale, measure))
    } else {
      for path in try Recordings.paths(files) { add(try measure(path)) }
    }
    if json { print(ReplayBench.json(benches), terminator: "") }
  }

  private func runGrowth() throws {
    var table = GrowthTable()
    for size in GrowthTable.sizes { table.add(mebibytes: size, try withSample(size, measure)) }
    Terminal.clearProgress()
    print(
      json ? ReplayBench.json(table.rows.map(\.bench)) : table.text, terminator: "")
  }

  private func measure(_ path: String) throws -> ReplayBench {
    Terminal.progress("measuring \(path)")
    do throws(UnreadableRecording) {
      return try ReplayBench(
        path: path, warmUps: warmUp, repetitions: repetitions, threads: threads, byStage: stages,
        with: Machine.instruments)
    } catch {
      throw Failure.unreadable(error)
    }
  }

  /// Writes a generated flight, calls `body` with its path and removes the file.
  private func withSample(_ mebibytes: Int64, _ body: (String) throws -> ReplayBench) throws -> ReplayBench {
    let scratch: ScratchDirectory
    do throws(StorageError) {
      scratch = try ScratchDirectory()
    } catch {
      throw Failure(message: "can't create a temporary directory: \(error.operation): \(error.message)", exitCode: 2)
    }
    defer { scratch.remove() }
    let path = "\(scratch.path)/sample-\(mebibytes).jsonl"
    Terminal.progress("writing \(path)")
    do throws(LogError) {
      try SampleLog(byteCount: mebibytes << 20).write(to: path)
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
    return try body(path)
  }
}
