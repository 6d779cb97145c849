import ContrailCore
import ContrailReplay
import ContrailTestSupport
import Foundation
import Testing

/// The recordings that the project keeps: each replays to the decisions and digests that it holds.
@Suite struct RecordingTests {
  static let folder = PackageFolder.recordings

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  private static func replayer(_ name: String) throws -> Replayer {
    let reader = try RecordingReader(path: folder + "/" + name)
    var replayer = Replayer()
    while let entry = try reader.next() { replayer.fold(entry) }
    replayer.finish()
    return replayer
  }

  @Test func thereAreAtLeastFourteen() { #expect(Self.names.count >= 14) }

  @Test(arguments: names) func replaysTheSame(name: String) throws {
    let replayer = try Self.replayer(name)
    #expect(replayer.divergence == nil)
    #expect(replayer.consequences.decisions == 0 && replayer.consequences.marks == 0)
    #expect(replayer.verifiedMarks > 0)
    #expect(replayer.state.decide().isEmpty)
  }

  @Test(arguments: names) func wasMadeByThisVersion(name: String) throws {
    let reader = try RecordingReader(path: Self.folder + "/" + name)
    var engines: Set<String> = []
    while let entry = try reader.next() {
      if case .input(.sessionStarted(let session)) = entry.record.event { engines.insert(session.engine) }
    }
    #expect(engines == [EngineVersion.current])
  }

  @Test(arguments: names) func theLedgerAndTheReportCountTheSameBytes(name: String) throws {
    let ledger = try ByteLedger(path: Self.folder + "/" + name)
    #expect(ledger.total.total == (try Self.replayer(name)).statistics.estimatedBytes)
  }

  @Test func eachRuleThatDecidesSomethingHasARecording() throws {
    var seen: Set<String> = []
    for name in Self.names {
      let text = try String(contentsOfFile: Self.folder + "/" + name, encoding: .utf8)
      for rule in Rule.allCases where text.contains("\"rule\":\"\(rule.rawValue)\"") { seen.insert(rule.rawValue) }
    }
    // The others decide that nothing is done: they are in every recording, and have their tests.
    let silent: Set<Rule> = [.joined, .moving, .narrowed, .fresh]
    #expect(seen == Set(Rule.allCases.filter { !silent.contains($0) }.map(\.rawValue)))
  }

  @Test func filesOfAirportsGiveTheDigestsThatWereRecorded() throws {
    let replayer = try Self.replayer("airports-cycle-change.jsonl")
    #expect(replayer.verifiedFiles == 2)
    #expect(replayer.state.airports.inUse?.edition.cycle == "2601" && replayer.state.airports.waiting == nil)
    #expect(replayer.state.digest.scopes.last?.scope == .airports)
  }

  @Test func theREADMENamesEachRecordingAndEachHasItsScenario() throws {
    let readme = try String(contentsOfFile: Self.folder + "/README.md", encoding: .utf8)
    for name in Self.names {
      let stem = String(name.dropLast(".jsonl".count))
      #expect(readme.contains("`\(stem)`"), "\(stem)")
      // A log from the field has no scenario: 'replay import' says so in its row.
      let isImported = readme.split(separator: "\n").contains {
        $0.hasPrefix("| `\(stem)` |") && $0.hasSuffix("(imported) |")
      }
      let hasScenario = FileManager.default.fileExists(atPath: "\(Self.folder)/\(stem).scenario")
      #expect(isImported || hasScenario, "\(stem)")
    }
  }
}
