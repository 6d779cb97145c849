import ArgumentParser
import ContrailLog
import ContrailReplay

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how fast recordings are replayed.",
    discussion: """
      The median of several repetitions and the median distance from it. Build with '-c release': figures of a debug \
      build say nothing.

      EXAMPLES
        swift run -c release replay bench
        replay bench flight.jsonl --stages --repetitions 9
        replay bench --scale 64 --stages            a made-up flight, in MiB
        replay bench --scale 64 --threads 2 --json
        replay bench --growth                       from 1 MiB to 1 GiB

      EXIT STATUS
        0   measured
        2   a recording can't be read, or there is none
        64  the command line is wrong
      """)

  @Argument(help: "Recordings, or folders of them. The folder Recordings if none is given.", completion: .file())
  var files: [String] = []

  @Option(help: "How often each recording is replayed and timed.")
  var repetitions = 5

  @Option(help: "How often it is replayed before, and not timed.")
  var warmUp = 1

  @Option(help: "1, or 2: one reads and decodes, the other folds.")
  var threads = 1

  @Option(help: "Measure a made-up flight of so many MiB instead.")
  var scale: Int64?

  @Flag(help: "Measure made-up flights from 1 MiB to 1 GiB, and print a table.")
  var growth = false

  @Flag(help: "Show where the time goes: read, crc, frame, decode, apply, plan, digest.")
  var stages = false

  @Flag(help: "Print one JSON array.")
  var json = false

  func validate() throws {
    guard (1...1000).contains(repetitions) else { throw ValidationError("Repeat it from 1 to 1000 times.") }
    guard (0...1000).contains(warmUp) else { throw ValidationError("Warm up from 0 to 1000 times.") }
    guard (1...2).contains(threads) else { throw ValidationError("Use 1 thread or 2.") }
    guard (1...65_536).contains(scale ?? 1) else { throw ValidationError("Scale from 1 to 65536 MiB.") }
    guard files.isEmpty || (scale == nil && !growth) else {
      throw ValidationError("Name recordings, or measure made-up flights.")
    }
  }

  func run() throws {
    #if DEBUG
      Terminal.write("note: a debug build; build with -c release for figures that mean something\n")
    #endif
    if growth { return try runGrowth() }
    var benches: [ReplayBench] = []
    func add(_ bench: ReplayBench) {
      benches.append(bench)
      Terminal.clearProgress()
      if json { return }
      print(bench.text, terminator: "")
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

  /// Writes a made-up flight, calls `body` with its path, and removes it.
  private func withSample(_ mebibytes: Int64, _ body: (String) throws -> ReplayBench) throws -> ReplayBench {
    let scratch: ScratchDirectory
    do throws(StorageFault) {
      scratch = try ScratchDirectory()
    } catch {
      throw Failure(message: "no room for a made-up flight: \(error.operation): \(error.message)", exitCode: 2)
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
