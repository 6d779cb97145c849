import ContrailTestSupport
import Foundation
import Testing

/// What the program prints fits a terminal of 80 columns.
@Suite struct WidthTests {
  private static let recordings: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: PackageFolder.recordings).filter { $0.hasSuffix(".jsonl") }
      .sorted().map { "Recordings/\($0)" }) ?? []

  /// Commands about one recording.
  @Test(arguments: ["inspect", "why", "bytes", "profile", "check", "verify"])
  func outputAboutARecordingFits(command: String) throws {
    try #require(Self.recordings.count > 20)
    for recording in Self.recordings {
      let arguments =
        command == "profile" ? [command, recording, "--route", "51.47,-0.45 40.64,-73.78"] : [command, recording]
      try expectFit(arguments)
    }
  }

  /// Sentences of a fixed width aren't broken again.
  @Test func sentencesOfWhatIfAreWhole() throws {
    let outcome = try BuiltProgram("replay").run(
      ["what-if", "Recordings/repaired.jsonl", "--runs", "1"], in: PackageFolder.url.path)
    #expect(outcome.output.contains("four hours that\nwere flown with both settings."), "\(outcome.output)")
  }

  @Test(arguments: [
    ["run"], ["run", "--by-rule"], ["cover"], ["cover", "--minimal"],
    ["run", "--until", "+20h"], ["bench", "Recordings/listening-storm.jsonl", "--repetitions", "1", "--stages"],
    ["why", "Recordings/reroute.jsonl", "--request", "2"],
    ["why", "Recordings/listening-quiet-ocean.jsonl", "--request", "2"],
    ["inspect", "Recordings/atlantic.jsonl", "--at", "+20h"],
    ["inspect", "Recordings/atlantic.jsonl", "--at", "99999"],
    ["diff", "Recordings/atlantic.jsonl", "Recordings/ocean-offline.jsonl"],
    ["inject", "Recordings/repaired.jsonl", "--outage", "+20m..+30m"],
    ["inevitable", "Recordings/offline-past-expiry.jsonl", "--state", "no-data@2h", "--futures", "8"],
    ["what-if", "Recordings/repaired.jsonl", "--runs", "1", "--rules"], ["advise", "Recordings/repaired.jsonl"],
  ])
  func otherOutputFits(arguments: [String]) throws { try expectFit(arguments) }

  /// A word that is wider by itself, such as a path or a digest, can't be broken.
  private func expectFit(_ arguments: [String]) throws {
    let outcome = try BuiltProgram("replay").run(arguments, in: PackageFolder.url.path)
    #expect(outcome.status < 64, "\(arguments): \(outcome.error)")
    #expect(!outcome.output.isEmpty, "\(arguments)")
    for line in outcome.output.split(separator: "\n") where line.count > 80 {
      #expect(line.split(separator: " ").contains { $0.count > 60 }, "\(arguments), \(line.count) columns: \(line)")
    }
  }
}
