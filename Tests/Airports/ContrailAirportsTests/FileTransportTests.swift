import ContrailAirportData
import ContrailAirports
import Foundation
import Testing

/// Files in a folder of the device.
@Suite struct FileTransportTests {
  private let scratch: Scratch
  private let url: URL
  private let transport: FileAirportTransport
  private let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  init() throws {
    let scratch = try Scratch()
    let path = scratch.path("file")
    self.scratch = scratch
    url = URL(fileURLWithPath: path)
    transport = FileAirportTransport(path: { _ in path })
    try Data(bytes).write(to: url)
  }

  private func body(offset: Int64 = 0, tag: String? = nil) async throws -> AirportBody? {
    guard
      case .body(let body) = try await transport.open(
        AirportRequest(cycle: Times.cycle, offset: offset, entityTag: tag))
    else { return nil }
    return body
  }

  /// Checks the bytes of a body.
  private func expect(_ body: AirportBody, gives expected: some Sequence<UInt8>) async throws {
    var bytes: [UInt8] = []
    for try await block in body.blocks { bytes += block }
    #expect(bytes == Array(expected))
  }

  @Test func aFileIsReadFromTheRequestedByte() async throws {
    let whole = try #require(try await body())
    #expect(whole.offset == 0 && whole.totalBytes == 150_000)
    try await expect(whole, gives: bytes)
    for offset in [1, 70_000, 149_999] {
      let rest = try #require(try await body(offset: Int64(offset), tag: whole.entityTag))
      #expect(rest.offset == Int64(offset) && rest.totalBytes == 150_000 && rest.entityTag == whole.entityTag)
      try await expect(rest, gives: bytes[offset...])
    }
  }

  @Test(arguments: [150_000, 150_001] as [Int64]) func thereIsNothingAfterTheEnd(_ offset: Int64) async throws {
    let tag = try #require(try await body()?.entityTag)
    let answer = try await transport.open(AirportRequest(cycle: Times.cycle, offset: offset, entityTag: tag))
    guard case .nothingMore(150_000) = answer else {
      Issue.record("\(answer)")
      return
    }
  }

  /// A file with another size or another time is another file.
  @Test func aFileThatChangedComesWhole() async throws {
    let tag = try #require(try await body()?.entityTag)
    let other = try #require(try await body(offset: 5, tag: "other"))
    #expect(other.offset == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: url.path)
    let touched = try #require(try await body(offset: 5, tag: tag))
    #expect(touched.offset == 0 && touched.entityTag != tag)
    try Data(bytes.dropLast()).write(to: url)
    let shorter = try #require(try await body(offset: 5, tag: tag))
    #expect(shorter.offset == 0 && shorter.totalBytes == 149_999)
    try await expect(shorter, gives: bytes.dropLast())
  }

  @Test func anEmptyFileHasABody() async throws {
    try Data().write(to: url)
    let empty = try #require(try await body())
    #expect(empty.totalBytes == 0)
    try await expect(empty, gives: [])
  }

  @Test func aFolderHasNoDeltasAndNoFilesButItsOwn() async throws {
    let delta = try await transport.open(AirportRequest(cycle: Times.cycle, base: Times.before))
    let other = try await FileAirportTransport(path: { _ in "/nowhere/at/all" }).open(
      AirportRequest(cycle: Times.cycle))
    for answer in [delta, other] {
      guard case .notAvailable = answer else {
        Issue.record("\(answer)")
        return
      }
    }
  }
}
