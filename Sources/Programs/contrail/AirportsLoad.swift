import ArgumentParser
import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import ContrailWire
import Foundation

/// The `contrail airports load` command: loads a cycle into the database.
struct AirportsLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load the airports of a cycle into the database.",
    discussion: """
      Reads the files that 'contrail airports build' writes and the property lists of SF50 TOLD, compressed or not. The \
      current cycle stays in use until the new one is complete. A cycle that isn't effective yet is activated on its \
      effective date. An interrupted load resumes where it stopped.

      With a server URL, the effective cycle is downloaded, or the cycle given with --cycle. {cycle} in the URL is \
      replaced by the cycle. Otherwise the cycle is appended as the last path component, unless the URL names a file. \
      The API key is read from $CONTRAIL_KEY.

      EXAMPLES
        contrail airports load 2511.airports.xz
        contrail airports load sf50-2025-10-30.plist.lzma
        contrail airports load http://localhost:8080/airports/v1 --cycle 2511
        contrail airports load 'https://example.org/cycles/{cycle}.airports.xz'
      """)

  @Argument(help: ArgumentHelp("A file or a server URL.", valueName: "file-or-url"), completion: .file())
  var source: String

  @Option(help: "The cycle to download, such as 2511. Default: the effective cycle.")
  var cycle: String?

  @OptionGroup var store: AirportDatabaseOptions
  @OptionGroup var moment: MomentOptions

  @Flag(help: "Print the loaded cycle as JSON.")
  var json = false

  func run() async throws {
    let time = try moment.seconds()
    let cycle = try cycle.map(AIRACCycle.parse)
    let isRemote = ["http://", "https://"].contains { source.lowercased().hasPrefix($0) }
    guard isRemote || FileManager.default.fileExists(atPath: source) else {
      throw ValidationError(
        "'\(source)' doesn't exist. Give an existing file, or a URL that begins with http:// or https://.")
    }
    if !isRemote { try InputPath.check(source, "<file-or-url>") }
    try InputPath.check(store.path, "--database")
    let database = try AirportDatabase(path: store.path)
    let loader = AirportLoader(
      database: database, transport: try transport(isRemote: isRemote), folder: store.path + ".downloads")
    let states = loader.states
    let isQuiet = json
    let watcher = Task {
      var bar = ProgressBar(isOn: !isQuiet)
      for await state in states.values() { bar.show(state) }
      bar.clear()
    }
    let loaded: LoadedCycle
    do {
      switch (isRemote, cycle) {
      case (false, _): loaded = try await loader.load(contentsOf: source, at: time)
      case (true, let cycle?): loaded = try await loader.load(cycle, at: time)
      case (true, nil): loaded = try await loader.load(at: time)
      }
    } catch {
      await end(watcher)
      throw error
    }
    await end(watcher)
    report(loaded, isInUse: try database.status().current?.cycle == loaded.cycle)
  }

  private func end(_ watcher: Task<Void, Never>) async {
    watcher.cancel()
    await watcher.value
  }

  private func transport(isRemote: Bool) throws -> any AirportTransport {
    let source = source
    guard isRemote else { return FileAirportTransport { _ in source } }
    let key = ProcessInfo.processInfo.environment["CONTRAIL_KEY"]
    let server = Self.server(source)
    let transport: any ClosableTransport
    do throws(ServerURLError) {
      transport = try PlatformTransport.make(server: server)
    } catch {
      throw ValidationError("\(error)")
    }
    return HTTPAirportTransport(transport: transport, headers: { key.map { [(WireHeader.apiKey, $0)] } ?? [] }) {
      cycle, base in
      guard let address = Self.address(source, cycle, base: base) else { return nil }
      let target = address.dropFirst(server.count)
      return target.isEmpty ? "/" : String(target)
    }
  }

  /// Returns the scheme, host and port of a URL.
  static func server(_ source: String) -> String {
    guard let scheme = source.firstRange(of: "://") else { return source }
    let end = source[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? source.endIndex
    return String(source[..<end])
  }

  /// Returns the URL of a cycle's file, or of the delta from a base; nil if the URL has no deltas.
  static func address(_ source: String, _ cycle: AIRACCycle, base: AIRACCycle? = nil) -> String? {
    if let base {
      let whole = address(source, cycle)
      guard let whole, whole != source, !source.contains("{cycle}") else { return nil }
      return whole.dropLast(cycle.identifier.count) + "\(base)-\(cycle)"
    }
    if source.contains("{cycle}") { return source.replacing("{cycle}", with: cycle.identifier) }
    let parts = source.split(separator: "/", omittingEmptySubsequences: true)
    // The scheme and the host are the first two parts. A last part with a dot names a file.
    if parts.count > 2, parts.last?.contains(".") == true { return source }
    return (source.hasSuffix("/") ? source : source + "/") + cycle.identifier
  }

  private func report(_ loaded: LoadedCycle, isInUse: Bool) {
    if json {
      var json = JSONWriter()
      loaded.write(to: &json)
      print(json.text)
      return
    }
    let use = isInUse ? "in use" : "loaded; activated on \(loaded.cycle.effectiveDay)"
    print(
      """
      cycle \(loaded.cycle) \(use): \(loaded.airportCount) airports, \(loaded.runwayCount) runway directions
        \(loaded.changes)
      """)
  }
}

extension ProgressBar {
  /// Shows the loader's state.
  mutating func show(_ state: AirportLoader.State) {
    switch state {
    case .idle: break
    case .downloading(let progress): show(progress, "downloading")
    case .extracting(let progress): show(progress, "extracting")
    case .loading(let progress): show(progress, "loading")
    case .finished: show(1, "finished")
    }
  }
}
