import ContrailAirportData
import ContrailAirports
import ContrailHTTP
import Foundation
import Testing

/// What a download keeps of answers that end early or don't fit, and what it requests next.
@Suite struct DownloadTests {
  private struct Lost: Error {}

  private static let airports = RandomAirports.made(40)
  /// The file of the cycle, which is not compressed, so that it has several thousand bytes.
  private static let file = (try? AirportFile.encoded(airports, cycle: Times.cycle, sources: [])) ?? []

  private final class Rig {
    let scratch: Scratch
    let files: ScriptedFiles
    let database: AirportDatabase
    let loader: AirportLoader
    let events = Lock<[AirportEvent]>([])

    init(
      _ steps: [ScriptedFiles.Step], sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) throws {
      scratch = try Scratch()
      files = ScriptedFiles(steps)
      database = try scratch.database()
      let events = events
      loader = AirportLoader(
        database: database, transport: files, folder: scratch.path("downloads"),
        onEvent: { event in events.withLock { $0.append(event) } }, sleep: sleep)
    }

    /// Loads in a task of its own, which a step can cancel.
    func failure() async -> AirportLoaderError? {
      let loader = loader
      let task = Task { () -> AirportLoaderError? in
        do throws(AirportLoaderError) {
          _ = try await loader.load(Times.cycle, at: Times.cycle.effectiveTime)
          return nil
        } catch {
          return error
        }
      }
      return await task.value
    }

    /// Creates the folder with a file in it.
    func put(_ data: Data, _ name: String) throws -> URL {
      let folder = URL(fileURLWithPath: scratch.path("downloads"))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try data.write(to: folder.appendingPathComponent(name))
      return folder.appendingPathComponent(name)
    }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path("downloads"))) ?? []).sorted()
    }

    var isDownloaded: Bool {
      events.withLock { events in
        events.contains { if case .downloadFinished = $0 { true } else { false } }
      }
    }
  }

  /// The first 500 bytes of the file, with a tag.
  private static func beginning(_ error: (any Error)? = Lost()) -> ScriptedFiles.Step {
    ScriptedFiles.part(file.prefix(500), of: file.count, tag: "a", then: error)
  }

  /// The whole file, with another tag.
  private static let whole = ScriptedFiles.part(file, of: file.count, tag: "w")

  /// A body may end early with an error or without, and an answer needn't repeat the tag.
  @Test(arguments: [true, false], ["a", nil])
  func theRestIsRequestedUntilTheFileIsComplete(_ isLost: Bool, _ tag: String?) async throws {
    let (file, total) = (Self.file, Self.file.count)
    let error = isLost ? Lost() : nil
    let rig = try Rig([
      Self.beginning(error), ScriptedFiles.part(file[500..<800], at: 500, of: total, tag: tag, then: error),
      ScriptedFiles.part(file[800...], at: 800, of: total, tag: tag),
    ])
    let heard = Lock<[AirportDownloadProgress]>([])
    let connection = rig.loader.downloads.sink { progress in heard.withLock { $0.append(progress) } }
    let failure = await rig.failure()
    connection.cancel()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 -", "500 a", "800 a"])
    #expect(try rig.database.computedDigest() == AirportDigest(Self.airports))
    let progress = heard.withLock { $0 }
    #expect(progress.map(\.receivedBytes) == [0, 500, 500, 800, 800, Int64(total)])
    #expect(progress.allSatisfy { $0.totalBytes == Int64(total) })
  }

  @Test func aFileOfUnknownSizeIsCompleteAtTheEndOfItsBody() async throws {
    let rig = try Rig([ScriptedFiles.part(Self.file, of: nil, tag: nil)])
    let failure = await rig.failure()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 -"])
  }

  @Test func anEmptyFileIsCompleteAndHasNoAirports() async throws {
    let rig = try Rig([ScriptedFiles.part([], of: 0, tag: nil)])
    let failure = await rig.failure()
    #expect(failure?.code == "truncated" && rig.isDownloaded)
    #expect(rig.files.asked == ["0 -"] && rig.names.isEmpty)
  }

  /// Answers to the request for the rest that belong to another file, or to another part of it.
  @Test(arguments: [
    ScriptedFiles.part([1], at: 300, of: 900, tag: "a"), ScriptedFiles.part([1], at: 1, of: 2, tag: "a"),
    ScriptedFiles.part([1], at: 500, of: 501, tag: "b"), ScriptedFiles.nothingMore(400), ScriptedFiles.nothingMore(0),
  ])
  func anAnswerThatDoesNotFitTheReceivedBytesDiscardsThem(_ answer: @escaping ScriptedFiles.Step) async throws {
    let rig = try Rig([Self.beginning(), answer, Self.whole])
    let failure = await rig.failure()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 -", "500 a", "0 -"])
    #expect(try rig.database.computedDigest() == AirportDigest(Self.airports))
  }

  @Test func theWholeFileMayComeInsteadOfTheRest() async throws {
    let rig = try Rig([Self.beginning(), Self.whole])
    let failure = await rig.failure()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 -", "500 a"])
    #expect(try rig.database.computedDigest() == AirportDigest(Self.airports))
  }

  /// A file of one byte is complete with it, and then isn't a file of airports.
  @Test(arguments: [1, nil]) func nothingMoreAfterTheLastByteCompletesTheFile(_ total: Int64?) async throws {
    let rig = try Rig([
      ScriptedFiles.part([67], of: 2, tag: "a", then: Lost()), ScriptedFiles.nothingMore(total), Self.whole,
    ])
    let failure = await rig.failure()
    guard case .data? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(rig.files.asked == ["0 -", "1 a"])
  }

  @Test func nothingMoreBeforeTheFirstByteIsNoFile() async throws {
    let rig = try Rig([ScriptedFiles.nothingMore(0), ScriptedFiles.nothingMore(nil), ScriptedFiles.nothingMore(0)])
    let failure = await rig.failure()
    #expect(failure?.code == "unreachable")
    #expect(rig.files.asked == ["0 -", "0 -", "0 -"])
    #expect(!rig.isDownloaded)
  }

  /// The tag of the bytes that are held must not outlive them.
  @Test func aNewFileWithoutATagLeavesNone() async throws {
    let rig = try Rig([
      Self.beginning(), ScriptedFiles.part(Self.file.prefix(300), of: Self.file.count, tag: nil, then: Lost()),
      Self.whole,
    ])
    let failure = await rig.failure()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 -", "500 a", "0 -"])
  }

  @Test func aTagWithoutBytesRequestsTheWholeFile() async throws {
    let rig = try Rig([Self.whole])
    _ = try rig.put(Data("x".utf8), "2511.tag")
    let failure = await rig.failure()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 x"])
    #expect(rig.names.isEmpty)
  }

  @Test func bytesWithoutATagAreRequestedAgain() async throws {
    let rig = try Rig([Self.whole])
    _ = try rig.put(Data(Self.file.prefix(500)), "2511.part")
    let failure = await rig.failure()
    #expect(failure == nil)
    #expect(rig.files.asked == ["0 -"])
    #expect(try rig.database.computedDigest() == AirportDigest(Self.airports))
  }

  @Test func aDeltaIsKeptUnderTheNamesOfBothCycles() async throws {
    let rig = try Rig([Self.beginning()])
    try rig.database.load(Self.airports, Times.before)
    let failure = await rig.failure()
    #expect(failure?.code == "unreachable")
    #expect(rig.names == ["2510-2511.part", "2510-2511.tag"])
    #expect(rig.files.requests.allSatisfy { $0.base == Times.before && $0.cycle == Times.cycle })
  }

  /// Each answer has another tag than the one before and more bytes, and the last attempt would succeed.
  @Test func aFileThatChangesThreeTimesIsGivenUp() async throws {
    let changing = [("a", 500), ("b", 600), ("c", 700), ("d", 800)].map { tag, count in
      ScriptedFiles.part(Self.file.prefix(count), of: Self.file.count, tag: tag, then: Lost())
    }
    let twice = try Rig(Array(changing.dropLast()) + [Self.whole])
    let none = await twice.failure()
    #expect(none == nil)
    let rig = try Rig(changing + [Self.whole])
    let failure = await rig.failure()
    #expect(failure?.code == "malformed")
    #expect(rig.files.asked == ["0 -", "500 a", "600 b", "700 c"])
  }

  /// Bytes that were received before don't make an attempt a success.
  @Test func threeAttemptsWithoutNewBytesAreTheLast() async throws {
    let rig = try Rig([Self.beginning()])
    let failure = await rig.failure()
    #expect(failure?.code == "unreachable")
    #expect(rig.files.asked == ["0 -", "500 a", "500 a"])
  }

  // MARK: Limits

  /// 64 MiB are allowed, one byte more is too large. The file has a hole instead of the bytes before.
  @Test(arguments: [1, 2]) func aFileMayHaveTheLargestSizeAndNoMore(_ count: Int) async throws {
    let limit: Int64 = 64 << 20
    let body = ScriptedFiles.part(
      [UInt8](repeating: 1, count: count), at: limit - 1, of: nil, tag: "x",
      then: AirportTransportError(.refused, reason: "on purpose"))
    let rig = try Rig([body])
    _ = try rig.put(Data("x".utf8), "2511.tag")
    let handle = try FileHandle(forWritingTo: rig.put(Data(), "2511.part"))
    try handle.truncate(atOffset: UInt64(limit - 1))
    try handle.close()
    let failure = await rig.failure()
    #expect(failure?.code == (count == 1 ? "refused" : "oversized"))
    #expect(rig.files.asked == ["\(limit - 1) x"])
    #expect(rig.names == (count == 1 ? ["2511.part", "2511.tag"] : []))
  }

  @Test func aFolderThatCannotBeCreatedSaysSo() async throws {
    let rig = try Rig([Self.whole])
    try Data().write(to: URL(fileURLWithPath: rig.scratch.path("downloads")))
    let failure = await rig.failure()
    #expect(failure?.code == "folder")
    #expect(rig.files.requests.isEmpty)
  }

  // MARK: Cancelling

  @Test func aTransportThatWasCancelledCancelsTheLoad() async throws {
    let rig = try Rig([ScriptedFiles.failure(.cancelled)])
    let failure = await rig.failure()
    #expect(failure == .cancelled)
    #expect(rig.files.requests.count == 1)
  }

  /// A transport may report a lost connection when its task is cancelled.
  @Test func aCancelledTaskMakesNoOtherAttempt() async throws {
    let rig = try Rig([ScriptedFiles.failure(.unreachable, cancelsTask: true)])
    let failure = await rig.failure()
    #expect(failure == .cancelled)
    #expect(rig.files.requests.count == 1)
  }

  /// The body of a cancelled task ends like that of a complete file.
  @Test func aBodyThatEndsBecauseOfACancelledTaskIsNotComplete() async throws {
    let rig = try Rig([ScriptedFiles.cancelledBody])
    let failure = await rig.failure()
    #expect(failure == .cancelled)
    #expect(!rig.isDownloaded)
  }

  @Test func aWaitThatIsCancelledCancelsTheLoad() async throws {
    let rig = try Rig([Self.beginning(), Self.whole], sleep: { _ in throw CancellationError() })
    let failure = await rig.failure()
    #expect(failure == .cancelled)
    #expect(rig.files.asked == ["0 -"])
  }
}
