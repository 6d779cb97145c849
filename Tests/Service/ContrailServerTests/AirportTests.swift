import ContrailLog
import ContrailTestSupport
import ContrailWire
import Foundation
import Testing

@testable import ContrailServer
@testable import ContrailWorld

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, ByteRange.whole), ("bytes=0-9", .part(0..<10)), ("bytes=90-", .part(90..<100)),
      ("bytes=90-500", .part(90..<100)), ("bytes=-10", .part(90..<100)), ("bytes=-500", .part(0..<100)),
      ("Bytes= 5 - 5", .part(5..<6)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=99999999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999999", .part(0..<100)),
      ("bytes=9-5", .whole), ("bytes=0-1,5-6", .whole), ("bytes=-", .whole), ("bytes=x-", .whole),
      ("pages=1-2", .whole),
      ("bytes=--5", .whole),
    ] as [(String?, ByteRange)]) func rangesAreReadAsHTTPHasThem(field: String?, range: ByteRange)
  {
    #expect(ByteRange(field, count: 100) == range)
  }

  @Test func anEmptyFileHasNoParts() {
    #expect(ByteRange("bytes=0-", count: 0) == .unsatisfiable && ByteRange("bytes=-1", count: 0) == .unsatisfiable)
    #expect(ByteRange(nil, count: 0) == .whole)
  }
}

/// Airports over a real socket.
@Suite struct AirportTests {
  private let directory: TemporaryDirectory
  /// More than fits into the buffers of a socket, and no two parts alike.
  private let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: Digest.mix(UInt64($0))) }
  private let path = "/airports/v1/2511"

  init() throws {
    directory = try TemporaryDirectory()
    try TemporaryDirectory.put(bytes, directory.file("2511.airports.xz"))
    try TemporaryDirectory.put(Array("older".utf8), directory.file("old.plist.lzma"))
    for name in ["notes.txt", "2599.airports.xz", "latest.airports.xz"] {
      try TemporaryDirectory.put([1], directory.file(name))
    }
  }

  private func serve(_ body: (RawClient) async throws -> Void) async throws {
    try await withServer(
      {
        $0.aircraft = 0
        $0.airports = .directory(
          directory.path, cyclesByName: ["old.plist.lzma": "2510", "missing.lzma": "2509"])
      }, body)
  }

  @Test func aLinkThatLeadsOutOfTheDirectoryIsNotServed() async throws {
    let outside = try TemporaryDirectory()
    try TemporaryDirectory.put(Array("private".utf8), outside.file("notes"))
    for (name, target) in [
      ("2512.airports.xz", outside.file("notes")), ("2511-2512.delta.xz", outside.file("notes")),
      ("2601.airports.xz", "old.plist.lzma"), ("2602.airports.xz", "missing"),
    ] {
      #expect(symlink(target, directory.file(name)) == 0)
    }
    try await serve { client in
      #expect(await client.get("/airports/v1/2512")?.status == 404)
      #expect(await client.get("/airports/v1/2511-2512")?.status == 404)
      #expect(await client.get("/airports/v1/2601")?.text == "older")
      #expect(await client.get("/airports/v1/2602")?.status == 404)
      let list = try #require(await client.get("/airports/v1/cycles")).text
      #expect(!list.contains("2512") && list.contains("2601") && !list.contains("2602"))
    }
  }

  @Test func cyclesAreListedWithDatesAndSums() async throws {
    try await serve { client in
      let list = try #require(await client.get("/airports/v1/cycles"))
      let sum = try #require(FileBytes.sha256(of: directory.file("2511.airports.xz")))
      #expect(list.status == 200 && list.fields["content-type"] == "application/json")
      // echo -n older | sha256sum
      let older = "da925a30e31f7fdaa7044e3e5ba4ae17670de82d677b0e7adf5700428a137a36"
      #expect(
        list.text
          == #"{"data":{"cycles":[{"cycle":"2510","effectiveFrom":"2025-10-02","effectiveUntil":"2025-10-30","size":5,"#
          + #""sha256":"\#(older)"},"#
          + #"{"cycle":"2511","effectiveFrom":"2025-10-30","effectiveUntil":"2025-11-27","size":300000,"#
          + #""sha256":"\#(sum)"}]},"meta":{},"links":{},"warnings":{}}"#)
      let tag = try #require(list.fields["etag"])
      #expect(await client.get("/airports/v1/cycles", ["If-None-Match": tag])?.status == 304)
      try TemporaryDirectory.put([1, 2, 3], directory.file("2512.airports.xz"))
      let more = try #require(await client.get("/airports/v1/cycles", ["If-None-Match": tag]))
      #expect(more.status == 200 && more.text.contains(#""cycle":"2512""#), "the directory is looked at anew")
    }
  }

  @Test func aFileComesWholeAndIsNotPackedAgain() async throws {
    try await serve { client in
      let whole = try #require(await client.get(path, ["Accept-Encoding": "gzip"]))
      #expect(whole.status == 200 && whole.body == bytes && whole.isComplete)
      #expect(whole.fields["content-encoding"] == nil && whole.fields["content-type"] == "application/x-xz")
      #expect(whole.fields["accept-ranges"] == "bytes")
      let tag = try #require(whole.fields["etag"])
      let known = try #require(await client.get(path, ["If-None-Match": tag, "Range": "bytes=5-"]))
      #expect(known.status == 304 && known.body.isEmpty)
      #expect(await client.get("/airports/v1/2510")?.text == "older")
    }
  }

  @Test func aPartIsWhatWasAskedFor() async throws {
    try await serve { client in
      let part = try #require(await client.get(path, ["Range": "bytes=100000-100009"]))
      #expect(part.status == 206 && part.body == Array(bytes[100_000..<100_010]))
      #expect(part.fields["content-range"] == "bytes 100000-100009/300000")
      let beyond = try #require(await client.get(path, ["Range": "bytes=300000-"]))
      #expect(beyond.status == 416 && beyond.errorCode == "RANGE_NOT_SATISFIABLE")
      #expect(beyond.fields["content-range"] == "bytes */300000")
    }
  }

  @Test func aDownloadThatBreaksGoesOnWhereItDid() async throws {
    try await serve { client in
      var held: [UInt8] = []
      var tag: String?
      var requests = 0
      while held.count < bytes.count, requests < 20 {
        var fields = [WireHeader.fault: "break=70000"]
        if let tag {
          fields["Range"] = "bytes=\(held.count)-"
          fields["If-Range"] = tag
        }
        let answer = try #require(await client.get(path, fields))
        #expect(answer.status == (tag == nil ? 200 : 206))
        #expect(answer.isComplete == (bytes.count - held.count <= 70_000))
        tag = answer.fields["etag"]
        held += answer.body
        requests += 1
      }
      #expect(held == bytes && requests == 5)
    }
  }

  @Test func aFileThatWasReplacedComesWhole() async throws {
    try await serve { client in
      let tag = try #require(await client.get(path)?.fields["etag"])
      let other = Array(bytes.reversed())
      try TemporaryDirectory.put(other, directory.file("2511.airports.xz"))
      let answer = try #require(await client.get(path, ["Range": "bytes=1000-", "If-Range": tag]))
      #expect(answer.status == 200 && answer.body == other && answer.fields["etag"] != tag)
      let weak = try #require(
        await client.get(path, ["Range": "bytes=1000-", "If-Range": "Sat, 29 Oct 2025 19:43:31 GMT"]))
      #expect(weak.status == 200, "a date is no proof")
    }
  }

  @Test func aCycleThatIsNotThereIsNamed() async throws {
    try await serve { client in
      for cycle in ["2512", "2509", "2599", "latest", "notes.txt", "2511.airports.xz", "..", "%2e%2e"] {
        let answer = try #require(await client.get("/airports/v1/\(cycle)"))
        #expect(answer.status == 404 && answer.errorCode == "CYCLE_NOT_AVAILABLE", "\(cycle)")
      }
      #expect(await client.get("/airports/v1/")?.errorCode == "NOT_FOUND")
      #expect(await client.get("/airports/v1/2511/x")?.errorCode == "NOT_FOUND")
      let posted = try #require(await client.post(path, body: [1]))
      #expect(posted.status == 405 && posted.fields["allow"] == "GET, HEAD")
    }
  }

  @Test func aServerWithoutAirportsSaysSo() async throws {
    try await withServer { client in
      #expect(await client.get("/airports/v1/cycles")?.text.hasPrefix(#"{"data":{"cycles":[]}"#) == true)
      #expect(await client.get(path)?.errorCode == "CYCLE_NOT_AVAILABLE")
    }
  }
}
