import ArgumentParser
import ContrailAirportBuilder

/// The `contrail airports delta` command: writes the difference between two cycles.
struct AirportsDelta: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delta",
    abstract: "Write the difference between two cycles as a delta file.",
    discussion: """
      A device that holds the first cycle downloads the delta instead of the complete file. The delta is checked: applied \
      to the first cycle, it gives the second. 'contrail airports publish' also writes the deltas of a folder.

      EXAMPLES
        contrail airports delta 2510.airports.xz 2511.airports.xz \\
          -o 2510-2511.delta.xz
      """)

  @Argument(help: "The file of the earlier cycle.", completion: .file())
  var base: String

  @Argument(help: "The file of the later cycle.", completion: .file())
  var file: String

  @Option(name: [.customShort("o"), .long], help: "The delta file to write.", completion: .file())
  var output: String

  func run() throws {
    let sizes = try AirportPublisher.writeDelta(from: base, to: file, at: output)
    let percent = sizes.fileBytes == 0 ? 0 : Double(sizes.deltaBytes * 1000 / sizes.fileBytes) / 10
    print("\(output): \(sizes.deltaBytes) bytes, \(percent) % of the complete file's \(sizes.fileBytes)")
  }
}
