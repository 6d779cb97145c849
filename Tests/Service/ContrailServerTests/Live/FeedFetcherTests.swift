import ContrailLog
import ContrailServiceSupport
import ContrailTestSupport
import Foundation
import Logging
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// What feeds demand.
@Suite struct FeedFetcherTests {
  @Test(arguments: [
    ("120", 120), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
    ("Sun, 06 Nov 1994 09:49:00 GMT", 3600), ("soon", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
    ("Sun, 06 Non 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
  ]) func retryAfterIsANumberOrADate(text: String, seconds: Int64?) {
    // 1994-11-06 08:49:00 UTC.
    #expect(FeedFetcher.seconds(text, from: 784_111_740_000) == seconds)
  }

  @Test func aDateIsReadAsItIsWritten() {
    let field = DateField()
    for second in [0, 951_782_400, 1_780_056_000, 4_102_444_799] {
      #expect(DateField.seconds(field.text(at: second)) == Int64(second))
    }
  }
}

/// The files of a directory.
@Suite struct DirectorySourceTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func put(_ names: String...) throws {
    for name in names { try TemporaryDirectory.put(Array("[\(DayFixture.pirep())]".utf8), directory.file(name)) }
  }

  private func sources() throws -> [FeedSource] { FeedFetcher.expanded(try FeedSource.sources(directory.path)) }

  private func request(_ source: FeedSource) -> Poller.Request {
    Poller.Request(source: source, entityTag: nil, hours: 1, timeoutSeconds: 1, maximumBytes: 1)
  }

  @Test func eachFileIsASourceAndADirectoryWithoutFilesFails() async throws {
    let empty = try sources()
    #expect(empty.map(\.location) == [.path(directory.path)])
    guard case .failure(let reason) = await FeedFetcher(agent: "test").fetch(request(empty[0]), now: 0) else {
      return #expect(Bool(false))
    }
    #expect(reason.contains("has no files"))
    try put("b.json", "a.json", ".hidden")
    #expect(try sources().map(\.name) == ["file.a.json", "file.b.json"])
  }

  @Test func newFilesAreAddedAndRemovedOnesForgotten() throws {
    try put("b.json")
    var poller = Poller(sources: try FeedSource.sources("awc.pirep") + sources(), reader: FeedReader())
    let first = poller.due([:], at: 0).requests
    #expect(first.map(\.source.name) == ["awc.pirep", "file.b.json"])
    try put("a.json")
    let named = try FeedSource.sources("awc.pirep") + sources()
    #expect(poller.update(named).map(\.name) == ["file.a.json"])
    #expect(poller.update(named).isEmpty)
    #expect(poller.due([:], at: 0).requests.map(\.source.name) == ["file.a.json"], "the others are under way")
    try FileManager.default.removeItem(atPath: directory.file("b.json"))
    #expect(poller.update(try FeedSource.sources("awc.pirep") + sources()).isEmpty)
    #expect(poller.sources.map(\.name) == ["awc.pirep", "file.a.json"])
  }

  @Test func filesOfOneNameKeepTheirNumbers() throws {
    var (one, two) = (try FeedSource.sources("x/a.json"), try FeedSource.sources("y/a.json"))
    (one[0].name, two[0].name) = ("file.a.json", "file.a.json")
    var poller = Poller(sources: two, reader: FeedReader())
    #expect(poller.update(one + two).map(\.name) == ["file.a.json.2"])
    #expect(poller.sources.map(\.location) == [.path("y/a.json"), .path("x/a.json")])
    #expect(poller.update(one).isEmpty && poller.sources.map(\.name) == ["file.a.json.2"])
    #expect(poller.update(one + two).map(\.name) == ["file.a.json"], "the free name")
  }

  @Test func aServiceListsADirectoryEachMinute() async throws {
    try put("b.json")
    let rig = LiveRig()
    let path = directory.path
    let feeds = LiveFeeds(
      try await rig.open(), sources: try sources(),
      listing: { FeedFetcher.expanded((try? FeedSource.sources(path)) ?? []) },
      transport: .network(FeedFetcher(agent: "test")), clock: rig.clock,
      retention: LogRetention(maximumBytes: 1 << 30, maximumAgeMilliseconds: 86_400_000), logger: Logger(label: "test")
    ) { _ in }
    await feeds.list(at: rig.now)
    try put("a.json")
    rig.advance(seconds: 59)
    await feeds.list(at: rig.now)
    #expect(await feeds.sources.map(\.name) == ["file.b.json"])
    rig.advance(seconds: 1)
    await feeds.list(at: rig.now)
    #expect(await feeds.sources.map(\.name) == ["file.b.json", "file.a.json"])
  }
}
