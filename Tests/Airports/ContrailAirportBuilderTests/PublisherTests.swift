import ContrailAirportBuilder
import ContrailAirportData
import ContrailGeodesy
import ContrailTestSupport
import Foundation
import Testing

@Suite struct PublisherTests {
  private let sources: Sources
  private let cycles = ["2510", "2511", "2512", "2513"].compactMap { AIRACCycle(identifier: $0) }

  init() throws { sources = try Sources() }

  private func airports(_ index: Int) -> [Airport] {
    (0..<200).filter { $0 % 50 != index }.map { number in
      Airport(
        recordID: "\(number)", locationID: "L\(number)", name: "Field \(number)", dataSource: .ourAirports,
        coordinate: Coordinate(latitude: Double(number) / 4, longitude: Double(number) / 2),
        variationDegrees: Double(number + index) / 8)
    }
  }

  private func file(_ index: Int, _ airports: [Airport]? = nil) throws -> String {
    let name = "source-\(index)"
    try sources.write(
      name, AirportFile.packed(airports ?? self.airports(index), cycle: cycles[index], sources: [.init(name: "a test")])
    )
    return sources.path(name)
  }

  private var folder: String { sources.path("public") }

  private func publish(_ files: [String]) throws -> PublishReport {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try AirportPublisher.publish(files, in: folder)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  @Test func aFolderHasFilesDeltasAndAnIndex() throws {
    let report = try publish([0, 2, 1].map { try file($0) })
    #expect(report.cycles.map(\.header.cycle) == Array(cycles.prefix(3)))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(
      names == [
        "2510-2511.delta.xz", "2510-2512.delta.xz", "2510.airports.xz", "2511-2512.delta.xz", "2511.airports.xz",
        "2512.airports.xz", "index.json",
      ])
    let delta = try AirportDelta(bytes("2511-2512.delta.xz"))
    #expect(try AirportDigest(delta.applied(to: airports(1))) == AirportDigest(airports(2)))
    let index = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes("index.json"))) as? [String: Any])
    #expect(index["format"] as? Int == 1)
    let last = try #require((index["cycles"] as? [[String: Any]])?.last)
    #expect(last["cycle"] as? String == "2512" && last["effectiveFrom"] as? String == "2025-11-27")
    #expect(last["file"] as? String == "2512.airports.xz" && last["airports"] as? Int == 196)
    #expect(last["digest"] as? String == "\(AirportDigest(airports(2)))")
    #expect(last["size"] as? Int == (try bytes("2512.airports.xz")).count)
    let deltas = try #require(last["deltas"] as? [[String: Any]])
    #expect(deltas.map { $0["from"] as? String } == ["2511", "2510"])
    #expect(deltas[0]["fromDigest"] as? String == "\(AirportDigest(airports(1)))")
  }

  @Test func aLaterCycleIsAddedAndNothingElseIsWritten() throws {
    _ = try publish([try file(0), try file(1)])
    let before = try bytes("2510-2511.delta.xz")
    let report = try publish([try file(2)])
    #expect(report.cycles.count == 3)
    #expect(try bytes("2510-2511.delta.xz") == before)
    #expect(try publish([]) == report)
  }

  @Test func aDeltaFollowsACorrectedFile() throws {
    _ = try publish([try file(0), try file(1)])
    var corrected = airports(1)
    corrected[7].name = "Corrected"
    _ = try publish([try file(1, corrected)])
    let delta = try AirportDelta(bytes("2510-2511.delta.xz"))
    #expect(try AirportDigest(delta.applied(to: airports(0))) == AirportDigest(corrected))
  }

  @Test func badFilesAreNamedAndNothingIsReplaced() throws {
    _ = try publish([try file(0)])
    let index = try bytes("index.json")
    try sources.write("noise", "not airports")
    for files in [["noise"], ["none"], ["source-0", "source-0"]] {
      let error = #expect(throws: AirportBuildError.self) { try publish(files.map { sources.path($0) }) }
      #expect(error.map { $0.file.hasSuffix(files[files.count - 1]) } == true)
    }
    #expect(try bytes("index.json") == index)
    #expect(throws: AirportBuildError.self) { try AirportPublisher.publish([], in: sources.path("nowhere")) }
    // A file of somebody else stays.
    try sources.write("public/2510-2511.delta.xz", "my notes")
    let error = #expect(throws: AirportBuildError.self) { try publish([try file(1)]) }
    #expect(error?.code == .unwritable)
    #expect(try bytes("2510-2511.delta.xz") == Array("my notes".utf8))
  }

  @Test func aSingleDeltaIsWritten() throws {
    let output = sources.path("one.delta.xz")
    let sizes = try AirportPublisher.writeDelta(from: file(0), to: file(1), at: output)
    let written = Array(try Data(contentsOf: URL(fileURLWithPath: output)))
    #expect(sizes.deltaBytes == written.count && sizes.fileBytes > sizes.deltaBytes)
    #expect(try AirportDigest(AirportDelta(written).applied(to: airports(0))) == AirportDigest(airports(1)))
  }
}
