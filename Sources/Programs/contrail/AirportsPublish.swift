import ArgumentParser
import ContrailAirportBuilder
import ContrailAirportData

/// The `contrail airports publish` command: writes a folder of airport files for a static host.
struct AirportsPublish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Write a folder of airport files for a static host, with deltas and an index.",
    discussion: """
      The folder gets <cycle>.airports.xz for each file, <cycle>-<cycle>.delta.xz from each of the two cycles before it, and \
      index.json. Upload the folder to any static host, and set the client's airportFolder to its URL. Upload index.json \
      last. Files of earlier cycles stay in the folder; delete them when no device needs them.

      EXAMPLES
        contrail airports publish public/airports 2511.airports.xz
        contrail airports publish public/airports
      """)

  @Argument(help: "The folder, which must exist.", completion: .directory)
  var directory: String

  @Argument(
    help: "The airport files to add. Without any, only missing deltas and the index are written.", completion: .file())
  var files: [String] = []

  @Flag(help: "Print the index.")
  var json = false

  func run() throws {
    let report = try AirportPublisher.publish(files, in: directory)
    if json {
      print(report.indexJSON)
      return
    }
    for cycle in report.cycles {
      let deltas = cycle.deltas.map { "\($0.file.byteCount) from \($0.base)" }.joined(separator: ", ")
      print(
        "cycle \(cycle.header.cycle)  \(cycle.header.airportCount) airports  \(cycle.file.byteCount) bytes"
          + (deltas.isEmpty ? "" : ", or \(deltas)"))
    }
  }
}
