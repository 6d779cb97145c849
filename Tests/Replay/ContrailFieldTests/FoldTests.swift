import ContrailField
import ContrailReplay
import ContrailTestSupport
import Foundation
import Testing

/// A path in, a line out, whatever the file.
@Suite struct FoldTests {
  @Test func eachPathHasItsLineWhateverTheFile() throws {
    let directory = try TemporaryDirectory()
    let atlantic = try TemporaryDirectory.contents(Logs.recording("atlantic"))
    let half = directory.file("half.jsonl")
    try TemporaryDirectory.put(atlantic.prefix(atlantic.count / 2), half)
    let damaged = directory.file("damaged.jsonl")
    var bytes = atlantic
    bytes[5000] = UInt8(ascii: "#")
    try TemporaryDirectory.put(bytes, damaged)
    let foreign = directory.file("foreign.json")
    try TemporaryDirectory.put(Array(#"{"rows":[1,2,3]}"#.utf8), foreign)
    let empty = directory.file("empty.jsonl")
    try TemporaryDirectory.put([UInt8](), empty)
    let pipe = directory.file("pipe.jsonl")
    try TemporaryDirectory.makePipe(pipe)
    let paths = [
      Logs.recording("atlantic"), half, damaged, foreign, empty, pipe, directory.path, directory.file("missing.jsonl"),
      "",
      "a\u{0}b", Logs.recording("polygons"),
    ]
    let (rows, counts) = try Self.fold(paths, FleetFold(workerCount: 2))
    #expect(rows.map { $0["path"] as? String } == paths)
    let results = rows.map { $0["result"] as? String ?? "" }
    #expect(results == ["same", "same"] + Array(repeating: "unreadable", count: 8) + ["same"])
    for (row, result) in zip(rows, results) where result == "unreadable" {
      #expect(row["reason"] as? String != nil && row["code"] as? String != nil)
    }
    #expect(rows[1]["tornBytes"] as? Int ?? 0 > 0 && (rows[1]["faults"] as? [String])?.contains("cut") == true)
    #expect((rows[0]["faults"] as? [String])?.contains("cut") == false)
    let reasons = rows[8...9].map { $0["reason"] as? String ?? "" }
    #expect(rows[8...9].allSatisfy { $0["code"] as? String == "invalidPath" })
    #expect(reasons[0].hasSuffix("it is empty") && reasons[1].hasSuffix("it contains a NUL character"))
    #expect(counts.total == paths.count && counts.unreadable == 8 && counts.same == 3)
    // Every row has the same columns.
    #expect(Set(rows.map { $0.keys.sorted() }).count == 1)
  }

  @Test func cellsAreListedWhenAskedFor() throws {
    let path = Logs.recording("atlantic")
    let (rows, _) = try Self.fold([path], FleetFold())
    let (withCells, _) = try Self.fold([path], FleetFold(listsCells: true))
    #expect(rows[0]["cellNames"] == nil && withCells[0]["cells"] as? Int == rows[0]["cells"] as? Int)
    #expect((withCells[0]["cellNames"] as? [String])?.count == rows[0]["cells"] as? Int)
  }

  @Test func atLeastOneWorkerReads() {
    #expect(FleetFold().workerCount == 1 && FleetFold(workerCount: 3).workerCount == 3)
    let lines = Self.lines([Logs.recording("atlantic")], FleetFold(workerCount: 0))
    #expect(lines.count == 1)
  }

  @Test func theOrderAndTheNumberOfWorkersChangeNothing() throws {
    let paths = Logs.recordings + Logs.recordings
    let one = Self.lines(paths, FleetFold(workerCount: 1))
    #expect(Self.lines(paths, FleetFold(workerCount: 4)) == one)
    #expect(Self.lines(paths, FleetFold(workerCount: 4, isOrdered: false)).sorted() == one.sorted())
  }

  @Test func aRowSaysWhatTheOtherCommandsSay() throws {
    for path in Logs.recordings {
      let (rows, _) = try Self.fold([path], FleetFold())
      let result = RecordingResult(replaying: path)
      let row = try #require(rows.first)
      let ledger = try ByteLedger(path: path)
      #expect(row["digest"] as? String == result.digest.map { String(format: "%016llx", $0) })
      #expect(row["fulls"] as? Int == result.statistics.fulls)
      #expect(row["down"] as? Int == Int(ledger.total.down.total))
      #expect(row["up"] as? Int == Int(ledger.total.up.total))
      #expect((row["fullFetches"] as? [Any])?.count == result.statistics.fulls)
    }
  }

  @Test func pathsAreTheLinesOfTheirList() {
    func lines(_ text: String, blockSize: Int) -> [String] {
      var rest = Array(text.utf8)[...]
      var list = PathLines(blockSize: blockSize) { buffer in
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
      }
      var lines: [String] = []
      while let line = list.next() { lines.append(line) }
      return lines
    }
    for size in [1, 2, 3, 64] {
      #expect(lines("a\nbc\r\n\nd", blockSize: size) == ["a", "bc", "", "d"])
      #expect(lines("a\n", blockSize: size) == ["a"])
      #expect(lines("", blockSize: size) == [])
    }
    let long = String(repeating: "x", count: PathLines.maximumByteCount + 100)
    #expect(lines(long + "\ny", blockSize: 1000).map(\.utf8.count) == [PathLines.maximumByteCount, 1])
  }

  private static func lines(_ paths: [String], _ fold: FleetFold) -> [String] {
    var iterator = paths.makeIterator()
    var lines: [String] = []
    _ = fold.run(nextPath: { iterator.next() }, emit: { line, _ in lines.append(line) })
    return lines
  }

  private static func fold(_ paths: [String], _ fold: FleetFold) throws -> ([[String: Any]], FleetFold.Counts) {
    var iterator = paths.makeIterator()
    var rows: [[String: Any]] = []
    let counts = fold.run(
      nextPath: { iterator.next() },
      emit: { line, _ in
        rows.append((try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:])
      })
    return (rows, counts)
  }
}
