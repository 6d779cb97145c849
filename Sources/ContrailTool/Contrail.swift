#if Online
  import ArgumentParser

  /// The online program.
  @main
  struct ContrailProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "contrail",
      abstract: "Contrail's programs that use the network.",
      subcommands: [Airports.self, Record.self, Serve.self, Weather.self])
  }
#endif
