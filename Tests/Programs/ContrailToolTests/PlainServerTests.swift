#if os(macOS) || os(Linux)
  import ContrailTestSupport
  import Foundation
  import Testing

  /// Flights against a server without handles, repairs and compact answers give the decisions of the recordings.
  ///
  /// Scenarios in which these decide something are left out: a repair, areas that are requested together, and the time at which an answer
  /// arrives beside an upload.
  @Suite(.timeLimit(.minutes(30))) struct PlainServerTests {
    private static let recordings = PackageFolder.file("Recordings")

    /// The options of `contrail record` in the lines `#: …` of a scenario; quoted ones may contain spaces.
    private func options(_ scenario: String) -> [String] {
      var options: [String] = []
      for line in scenario.split(separator: "\n") where line.hasPrefix("#: ") {
        for (index, part) in line.dropFirst(3).split(separator: "'", omittingEmptySubsequences: false).enumerated() {
          if index % 2 == 1 {
            options[options.count - 1] += part
          } else {
            options += part.split(separator: " ").map(String.init)
          }
        }
      }
      return options
    }

    /// The decisions of a log without what depends on the number of a line, a handle or the time of an answer.
    private func decisions(_ path: String) throws -> [NSDictionary] {
      try TemporaryDirectory.contents(path).split(separator: UInt8(ascii: "\n")).compactMap { line in
        guard var fields = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any], fields["cause"] != nil
        else { return nil }
        for name in ["seq", "at", "crc", "cause", "handle", "since"] { fields[name] = nil }
        return fields as NSDictionary
      }
    }

    @Test(arguments: [
      "bad-queries", "captive-portal", "history-widened", "key-revoked", "lost-token", "manual-refresh",
      "no-deltas-loop", "nothing-wanted", "reroute", "wider-and-wider",
    ])
    func theDecisionsAreThoseOfTheRecording(name: String) throws {
      let folder = try TemporaryDirectory()
      let scenario = Self.recordings.appending(path: "\(name).scenario").path
      let text = String(decoding: try TemporaryDirectory.contents(scenario), as: UTF8.self)
      let run = try BuiltProgram("contrail").run(
        ["record", "--scenario", scenario, "--out", "flight.jsonl", "--plain-server"] + options(text),
        in: folder.path)
      #expect(run.status == 0, "\(run.error)")
      let expected = try decisions(Self.recordings.appending(path: "\(name).jsonl").path)
      #expect(!expected.isEmpty)
      #expect(try decisions(folder.file("flight.jsonl")) == expected)
    }
  }
#endif
