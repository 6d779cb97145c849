import ContrailTestSupport
import Foundation
import Testing

/// The pages that the built program writes.
@Suite struct ViewTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Rig.flying().writeLog(to: directory.file("first.jsonl"))
  }

  func replay(_ arguments: [String]) throws -> BuiltProgram.Run {
    try BuiltProgram("replay").run(arguments, in: directory.path)
  }

  private func contents(_ name: String) throws -> String {
    try String(contentsOfFile: directory.file(name), encoding: .utf8)
  }

  /// Makes the first decision of a recording another one.
  private func diverge(_ name: String) throws {
    var text = try contents("first.jsonl").replacing(#/,"crc":"[0-9a-f]{8}"}/#, with: "}")
    let first = try #require(text.firstIndex(of: "\n"))
    text.replaceSubrange(text.index(before: first)..<first, with: ",\"crc\":false}")
    try Data(text.replacing("\"mode\":\"full\"", with: "\"mode\":\"delta\"").utf8).write(
      to: URL(fileURLWithPath: directory.file(name)))
  }

  @Test func aPageIsWrittenBesideTheWorkingDirectory() throws {
    let outcome = try replay(["view", "first.jsonl"])
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.hasPrefix("first.html: "))
    let page = try contents("first.html")
    #expect(page.contains("data-flight=\"0\" data-title=\"first.jsonl\""))
    #expect(page.contains("Content-Security-Policy"))
    #expect(!page.contains(" src=\"") && !page.contains("href=\"http"))
    // The same again, over the earlier page.
    #expect(try replay(["view", "first.jsonl"]).status == 0)
    #expect(try contents("first.html") == page)
  }

  @Test func anotherFileIsNotReplaced() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.file("mine.html")))
    let outcome = try replay(["view", "first.jsonl", "-o", "mine.html"])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("mine.html: notWritten: the existing file isn't a page of 'replay view'"))
    #expect(try contents("mine.html") == "mine")
  }

  @Test func aMissingRecordingAndTooManyAreRefused() throws {
    let missing = try replay(["view", "none.jsonl"])
    #expect(missing.status == 2)
    #expect(missing.error.contains("none.jsonl"))
    #expect(try replay(["view", "a", "b", "c"]).status == 64)
  }

  @Test func aReportHasAPageForEachDivergence() throws {
    try diverge("changed.jsonl")
    let outcome = try replay(["run", "first.jsonl", "changed.jsonl", "--report", "out/report"])
    #expect(outcome.status == 1)
    #expect(try contents("out/report/junit.xml").contains("failures=\"1\""))
    #expect(try contents("out/report/changed.html").contains("data-title=\"changed.jsonl\""))
    #expect(!FileManager.default.fileExists(atPath: directory.file("out/report/first.html")))
  }
}
