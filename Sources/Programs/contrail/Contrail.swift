import ArgumentParser
import ContrailCore

/// The `contrail` command.
@main
struct ContrailProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contrail",
    abstract: "Run Contrail's network tools.",
    discussion: """
      EXAMPLES
        contrail serve
        contrail serve --live --demo
        contrail record --fly '51.47,-0.45 40.64,-73.78' --until 2h --out f.jsonl
        contrail weather 103.99,1.36 --server http://127.0.0.1:8080
        contrail airports search heathr

      EXIT STATUS
        0   success
        64  invalid arguments
      The help of each command lists its other exit codes.
      """,
    version: "contrail \(EngineVersion.current)",
    subcommands: [Airports.self, Keys.self, Record.self, Serve.self, ServiceLogCommand.self, Weather.self])
}
