#if Online
  import ArgumentParser

  /// The online program.
  @main
  struct ContrailProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "contrail",
      abstract: "Contrail's programs that use the network.",
      discussion: """
        EXAMPLES
          contrail serve
          contrail record --fly '51.47,-0.45 40.64,-73.78' --until 2h --out flight.jsonl
          contrail weather 103.99,1.36 --server http://127.0.0.1:8080
          contrail airports search heathr

        EXIT STATUS
          0   done
          64  the command line is wrong
        Each command says in its help what else it ends with.
        """,
      subcommands: [Airports.self, Record.self, Serve.self, Weather.self])
  }
#endif
