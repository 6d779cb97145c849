// Solves geodesic queries for Scripts/oracles/geodesy_compare.py.
//
// Standard input contains four little-endian doubles per query: latitude and longitude of two points in degrees.
// Standard output contains six per query: the distance in metres and both azimuths in degrees of the inverse problem,
// then latitude, longitude and azimuth of the direct problem from the first point.

import ContrailGeodesy
import Foundation

let bytes = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
let numbers = bytes.withUnsafeBytes { buffer in
  (0..<buffer.count / 8).map {
    Double(bitPattern: UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)))
  }
}
var output = Data(capacity: numbers.count * 12)
for index in stride(from: 0, to: numbers.count - numbers.count % 4, by: 4) {
  let start = Coordinate(latitude: numbers[index], longitude: numbers[index + 1])
  let end = Coordinate(latitude: numbers[index + 2], longitude: numbers[index + 3])
  let inverse = Geodesic.inverse(from: start, to: end)
  let direct = Geodesic.direct(
    from: start, azimuth: inverse.initialAzimuth, distanceMeters: inverse.distanceMeters)
  let answers = [
    inverse.distanceMeters, inverse.initialAzimuth, inverse.finalAzimuth, direct.coordinate.latitude,
    direct.coordinate.longitude, direct.finalAzimuth,
  ]
  for answer in answers {
    withUnsafeBytes(of: answer.bitPattern.littleEndian) { output.append(contentsOf: $0) }
  }
}
FileHandle.standardOutput.write(output)
