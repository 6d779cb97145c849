import ContrailLog
import ContrailReplay
import ContrailTestSupport
import Testing

@Suite struct RecordingFinderTests {
  let directory: TemporaryDirectory
  let finder = RecordingFinder()

  init() throws {
    directory = try TemporaryDirectory()
    let storage = POSIXStorage()
    try storage.makeDirectory(directory.file("package/Recordings/live"))
    try storage.makeDirectory(directory.file("package/Recordings/notes"))
    try storage.makeDirectory(directory.file("package/Sources/deep"))
    for name in [
      "b.jsonl", "a.jsonl.xz", "README.md", "b.accepted.md", "c.jsonl.tmp", "live/000000000000.jsonl", "live/lock",
      "notes/x.jsonl",
    ] {
      try TemporaryDirectory.put([UInt8](), directory.file("package/Recordings/\(name)"))
    }
  }

  @Test func aFolderHoldsFilesSealedFilesAndDirectoriesOfSegmentsByName() {
    let folder = directory.file("package/Recordings")
    #expect(
      finder.recordings(at: folder) == ["a.jsonl.xz", "b.jsonl", "live"].map { "\(folder)/\($0)" })
  }

  @Test func aFileOrADirectoryOfSegmentsIsItself() {
    for name in ["package/Recordings/b.jsonl", "package/Recordings/live", "package/nothing.jsonl"] {
      #expect(finder.recordings(at: directory.file(name)) == [directory.file(name)])
    }
  }

  @Test func aFolderWithoutARecordingStandsForItselfSoThatReadingItSaysSo() throws {
    let empty = directory.file("package/Sources")
    #expect(finder.recordings(at: empty) == [empty])
    #expect {
      _ = try RecordingReader(path: empty)
    } throws: {
      ($0 as? UnreadableRecording)?.reason
        == "the directory contains no recording: no .jsonl file, no .jsonl.xz file, and no directory of segments such as "
        + "000000000000.jsonl"
    }
  }

  @Test func theFolderIsFoundFromBelow() {
    #expect(finder.folder(upwardsFrom: directory.file("package"), shownAs: "") == "Recordings")
    #expect(finder.folder(upwardsFrom: directory.file("package/Sources"), shownAs: "") == "../Recordings")
    #expect(finder.folder(upwardsFrom: directory.file("package/Sources/deep"), shownAs: "") == "../../Recordings")
    #expect(finder.folder(upwardsFrom: directory.path, shownAs: "") == nil)
  }
}
