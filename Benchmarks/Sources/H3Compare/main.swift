// Answers H3 queries for Scripts/oracles/h3_compare: the operation is the argument, the records come on standard input and go to
// standard output, both as little-endian binary.

import ContrailGeodesy
import ContrailH3
import Foundation

/// Reads fixed-size records to the end of standard input.
func input() -> [UInt8] { [UInt8](FileHandle.standardInput.readDataToEndOfFile()) }

/// What goes to standard output.
struct Output {
  var bytes: [UInt8] = []

  mutating func put(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ value: Double) { put(value.bitPattern) }
}

func words(_ bytes: [UInt8]) -> [UInt64] {
  bytes.withUnsafeBytes { buffer in
    (0..<buffer.count / 8).map { UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
  }
}

let operation = CommandLine.arguments.dropFirst().first ?? ""
let query = words(input())
var output = Output()
switch operation {
case "cell":
  // (latitude, longitude, resolution) to an index, 0 for an error.
  for record in 0..<query.count / 3 {
    let coordinate = Coordinate(
      latitude: Double(bitPattern: query[3 * record]), longitude: Double(bitPattern: query[3 * record + 1]))
    let cell = try? H3Cell(coordinate, resolution: Int(Int64(bitPattern: query[3 * record + 2])))
    output.put(cell?.rawValue ?? 0)
  }
case "shape":
  // An index to latitude and longitude of the centre, the number of vertices, and room for ten.
  for index in query {
    guard let cell = H3Cell(rawValue: index) else {
      for _ in 0..<23 { output.put(UInt64.max) }
      continue
    }
    let centre = cell.center
    output.put(centre.latitude)
    output.put(centre.longitude)
    let boundary = cell.boundary
    output.put(UInt64(boundary.count))
    for vertex in 0..<10 {
      output.put(vertex < boundary.count ? boundary[vertex].latitude : 0)
      output.put(vertex < boundary.count ? boundary[vertex].longitude : 0)
    }
  }
case "valid":
  // An index to whether it is a cell's (bit 0), a pentagon's (1), of resolution 5 (2), and whether it packs and unpacks (3).
  for index in query {
    let cell = H3Cell(rawValue: index)
    var answer: UInt64 = cell == nil ? 0 : 1
    if cell?.isPentagon == true { answer |= 2 }
    if H3Cell.isValidResolution5(index) { answer |= 4 }
    if let packed = cell?.packed22, H3Cell(packed22: packed) == cell { answer |= 8 }
    output.put(answer)
  }
default:
  FileHandle.standardError.write(Data("unknown operation \(operation)\n".utf8))
  exit(2)
}
FileHandle.standardOutput.write(Data(output.bytes))
