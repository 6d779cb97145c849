import ContrailLog
import ContrailTestSupport
import Foundation
import Testing

/// Output takes its place when it is whole, and replaces only what it may.
@Suite struct StagedOutputTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("flight.jsonl")
  }

  private func names(_ folder: String? = nil) throws -> [String] {
    try POSIXStorage().names(in: folder ?? directory.path).sorted()
  }

  private func text(_ path: String) throws -> String { String(decoding: try contents(path), as: UTF8.self) }

  /// Writes a log with one line.
  private func writeLog(_ path: String) throws {
    try put("{\"seq\":0,\"at\":0,\"kind\":\"segment.opened\",\"format\":1,\"first\":0,\"crc\":false}\n", path)
  }

  /// The error that writing to a path gives.
  private func refusal(_ path: String, _ replaceable: StagedOutput.Replaceable) -> LogError? {
    do throws(LogError) {
      try StagedOutput.write(Array("new".utf8), to: path, replacing: replaceable)
      return nil
    } catch {
      return error
    }
  }

  @Test func theFileAppearsWhenItIsWholeAndNothingElseStays() throws {
    let output = try StagedOutput(path, replacing: .nothing)
    try output.write(Array("new".utf8))
    #expect(try POSIXStorage().kind(of: path) == .nothing)
    try output.publish()
    #expect(try text(path) == "new")
    #expect(try names() == ["flight.jsonl"])
  }

  @Test func outputThatIsGivenUpLeavesTheOldFileAlone() throws {
    try writeLog(path)
    let old = try contents(path)
    do {
      let output = try StagedOutput(path, replacing: .log)
      try put("half", output.path)
      try POSIXStorage().makeDirectory("\(output.directory)/cycles/deep")
      try put("x", "\(output.directory)/cycles/deep/x")
    }
    #expect(try contents(path) == old)
    #expect(try names() == ["flight.jsonl"])
  }

  @Test func onlyALogIsReplacedAsALog() throws {
    try writeLog(path)
    #expect(refusal(path, .nothing)?.code == .alreadyExists)
    #expect(refusal(path, .log) == nil)
    #expect(try text(path) == "new")
    for other in ["new", "", "{}\n", "# Notes\n"] {
      try put(other, path)
      let error = refusal(path, .log)
      #expect(
        error?.code == .alreadyExists && error?.reason == "the existing file isn't a Contrail log, so it isn't replaced"
      )
      #expect(try text(path) == other)
    }
  }

  @Test func aLogOfANewerVersionIsALog() throws {
    try put("{\"seq\":0,\"at\":0,\"kind\":\"segment.opened\",\"format\":99,\"first\":0,\"crc\":false}\n", path)
    #expect(refusal(path, .log) == nil)
  }

  @Test func aDirectoryOrAPipeIsNeverReplaced() throws {
    try POSIXStorage().makeDirectory(directory.file("tree"))
    try writeLog(directory.file("tree/000000000000.jsonl"))
    try TemporaryDirectory.makePipe(directory.file("pipe"))
    for name in ["tree", "tree/", "pipe"] {
      #expect(refusal(directory.file(name), .log)?.code == .alreadyExists, "\(name)")
      #expect(refusal(directory.file(name), .anyFile)?.code == .alreadyExists, "\(name)")
    }
    #expect(try names() == ["pipe", "tree"])
    #expect(try names(directory.file("tree")) == ["000000000000.jsonl"])
  }

  @Test func whatCameToStandThereMeanwhileStays() throws {
    let output = try StagedOutput(path, replacing: .log)
    try output.write(Array("new".utf8))
    try put("notes", path)
    #expect(throws: LogError.self) { try output.publish() }
    #expect(try text(path) == "notes")
  }

  @Test func ofTwoWhoWriteANewFileOneSucceeds() throws {
    let outputs = try (0..<2).map { _ in try StagedOutput(path, replacing: .nothing) }
    for (index, output) in outputs.enumerated() { try output.write(Array("\(index)".utf8)) }
    try outputs[1].publish()
    #expect { try outputs[0].publish() } throws: { ($0 as? LogError)?.code == .alreadyExists }
    #expect(try text(path) == "1")
  }

  /// Processes check at the same time that there is no file, and move their files at the same time.
  @Test func ofManyWhoWriteANewFileAtTheSameTimeOneSucceeds() throws {
    for round in 0..<20 {
      let path = directory.file("\(round).jsonl")
      let outputs = try (0..<8).map { _ in try StagedOutput(path, replacing: .nothing) }
      for (index, output) in outputs.enumerated() { try output.write(Array("\(index)".utf8)) }
      let winners = Winners()
      DispatchQueue.concurrentPerform(iterations: outputs.count) { index in
        if (try? outputs[index].publish()) != nil { winners.add(index) }
      }
      #expect(winners.all.count == 1)
      #expect(winners.all.first.map(String.init) == (try text(path)))
    }
  }

  private final class Winners: @unchecked Sendable {
    private let lock = NSLock()
    private var indices: [Int] = []
    var all: [Int] { lock.withLock { indices } }
    func add(_ index: Int) { lock.withLock { indices.append(index) } }
  }

  @Test func aFailureLeavesNoFolderBehind() throws {
    let output = try StagedOutput(path, replacing: .nothing)
    try output.write(Array("new".utf8))
    try put("notes", path)
    _ = try BlobStore(directory: "\(output.directory)/blobs").put([])
    #expect(throws: LogError.self) { try output.publish() }
    output.discard()
    #expect(try names() == ["flight.jsonl"])
  }

  @Test func aSymbolicLinkStaysAndItsFileIsReplaced() throws {
    try POSIXStorage().makeDirectory(directory.file("elsewhere"))
    try writeLog(directory.file("elsewhere/real.jsonl"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere/real.jsonl")
    #expect(refusal(path, .log) == nil)
    #expect(try text(directory.file("elsewhere/real.jsonl")) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "elsewhere/real.jsonl")
    try FileManager.default.removeItem(atPath: directory.file("elsewhere/real.jsonl"))
    #expect(refusal(path, .log)?.code == .writeFailed)
  }

  @Test func blobsAreBesideTheLogBeforeItIsThere() throws {
    let (shared, fresh) = (Array("shared".utf8), Array("fresh".utf8))
    let kept = BlobStore(directory: directory.file("blobs"))
    _ = try kept.put(shared)
    let output = try StagedOutput(path, replacing: .nothing)
    try writeLog(output.path)
    let staged = BlobStore(directory: "\(output.directory)/blobs")
    for bytes in [shared, fresh] { _ = try staged.put(bytes) }
    #expect(try names(directory.file("blobs")).count == 1)
    try output.publish()
    for bytes in [shared, fresh] { #expect(try kept.bytes(of: BlobStore.ID(of: bytes)) == bytes) }
    #expect(try names() == ["blobs", "flight.jsonl"])
  }

  @Test func aLogWhoseBlobsCannotBeKeptDoesNotAppear() throws {
    try writeLog(path)
    let old = try contents(path)
    try put("in the way", directory.file("blobs"))
    let output = try StagedOutput(path, replacing: .log)
    try put("new", output.path)
    _ = try BlobStore(directory: "\(output.directory)/blobs").put([1])
    #expect { try output.publish() } throws: { ($0 as? LogError)?.code == .writeFailed }
    #expect(try contents(path) == old)
  }

  @Test func aScratchDirectoryRemovesLinksAndNotWhatTheyLeadTo() throws {
    try put("mine", path)
    let scratch = try ScratchDirectory(in: directory.path)
    try FileManager.default.createSymbolicLink(atPath: "\(scratch.path)/link", withDestinationPath: directory.path)
    scratch.remove()
    #expect(try names() == ["flight.jsonl"])
  }

  // MARK: Permissions

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// Recordings contain the positions of an aircraft.
  @Test func whatIsNewIsTheUsersAloneUnlessItIsForEveryone() throws {
    try StagedOutput.write([1], to: path, replacing: .nothing)
    #expect(try permissions(path) == 0o600)
    try StagedOutput.write([1], to: directory.file("shared"), replacing: .nothing, creating: .shared)
    let umask = try #require(try permissions(directory.file("shared")))
    #expect(umask & 0o600 == 0o600 && umask & 0o111 == 0)
    let log = try LogDirectory(path: directory.file("log"), at: 0, policy: .everyEvent)
    _ = try log.putBlob([1, 2, 3])
    for name in try names(log.path) where name.hasSuffix(".jsonl") {
      #expect(try permissions("\(log.path)/\(name)") == 0o600)
    }
    for name in try names("\(log.path)/blobs") { #expect(try permissions("\(log.path)/blobs/\(name)") == 0o600) }
  }

  @Test(arguments: [0o644, 0o640, 0o600, 0o755]) func whatIsReplacedKeepsItsPermissions(_ permissions: Int) throws {
    try writeLog(path)
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    try StagedOutput.write(Array("new".utf8), to: path, replacing: .log)
    #expect(try self.permissions(path) == permissions)
  }

  // MARK: Killed processes

  @Test func theNextOutputRemovesWhatAKilledProcessLeft() throws {
    let left = directory.file(".contrail-AbCdEf")
    try POSIXStorage().makeDirectory("\(left)/blobs")
    try put("half", "\(left)/flight.jsonl")
    try put("99999", "\(left)/.lock")
    try POSIXStorage().makeDirectory(directory.file(".contrail-ghijkl"))
    try StagedOutput.write(Array("new".utf8), to: path, replacing: .nothing)
    #expect(try names() == ["flight.jsonl"])
  }

  @Test func whatAnotherProcessIsWritingStays() throws {
    let other = try StagedOutput(directory.file("other.jsonl"), replacing: .nothing)
    try other.write(Array("other".utf8))
    try StagedOutput.write(Array("new".utf8), to: path, replacing: .nothing)
    try other.publish()
    #expect(try names() == ["flight.jsonl", "other.jsonl"])
  }

  @Test func whatOnlyLooksLikeItStays() throws {
    let elsewhere = try TemporaryDirectory()
    try put("mine", elsewhere.file("notes"))
    try put("1", elsewhere.file(".lock"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.file(".contrail-AbCdEf"), withDestinationPath: elsewhere.path)
    try POSIXStorage().makeDirectory(directory.file(".contrail-mine00"))
    try put("mine", directory.file(".contrail-mine00/notes"))
    try put("mine", directory.file(".contrail-backup"))
    try StagedOutput.write(Array("new".utf8), to: path, replacing: .nothing)
    #expect(try names() == [".contrail-AbCdEf", ".contrail-backup", ".contrail-mine00", "flight.jsonl"])
    #expect(try names(elsewhere.path) == [".lock", "notes"])
  }

  @Test func whereThereIsNoDirectoryNothingIsWritten() {
    #expect(refusal(directory.file("nowhere/flight.jsonl"), .nothing)?.code == .writeFailed)
  }
}
