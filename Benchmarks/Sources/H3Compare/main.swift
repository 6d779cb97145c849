// Answers H3 queries for Scripts/oracles/h3_compare.py.
//
// The operation is the argument. Standard input contains its queries and standard output receives the answers, both as
// 64-bit little-endian words (doubles as their bits). Lists are preceded by their count. An error is a word with all
// bits set.

import ContrailGeodesy
import ContrailH3
import Foundation

/// Reads the words of standard input.
struct Input {
  private let words: [UInt64]
  private var place = 0

  init() {
    let bytes = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
    words = bytes.withUnsafeBytes { buffer in
      (0..<buffer.count / 8).map { UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
  }

  var isEmpty: Bool { place >= words.count }

  mutating func word() -> UInt64 {
    guard !isEmpty else { return 0 }
    place += 1
    return words[place - 1]
  }

  mutating func int() -> Int { Int(truncatingIfNeeded: word()) }
  mutating func coordinate() -> Coordinate {
    let latitude = Double(bitPattern: word())
    return Coordinate(latitude: latitude, longitude: Double(bitPattern: word()))
  }
  mutating func coordinates() -> [Coordinate] { (0..<int()).map { _ in coordinate() } }
  /// Reads external indexes and skips invalid ones.
  mutating func cells() -> [H3Cell] { (0..<int()).compactMap { _ in H3Cell(rawValue: word()) } }
}

/// The words for standard output.
struct Output {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
  mutating func put(_ value: Int) { put(UInt64(truncatingIfNeeded: value)) }
  mutating func put(_ value: Double) { put(value.bitPattern) }
  mutating func put(_ value: Coordinate) {
    put(value.latitude)
    put(value.longitude)
  }
  mutating func put(_ values: [Coordinate]) {
    put(values.count)
    for value in values { put(value) }
  }
  mutating func put(_ cells: [H3Cell]?) {
    guard let cells else { return put(UInt64.max) }
    put(cells.count)
    for cell in cells { put(cell.rawValue) }
  }
}

var input = Input()
var output = Output()
let operation = CommandLine.arguments.dropFirst().first ?? ""

while !input.isEmpty {
  switch operation {
  case "cell":
    let coordinate = input.coordinate()
    let cell = try? H3Cell(coordinate, resolution: input.int())
    output.put(cell?.rawValue ?? UInt64.max)

  case "shape":
    // The centre, the number of vertices, and room for ten vertices.
    let cell = H3Cell(rawValue: input.word())
    var boundary = cell?.boundary ?? []
    output.put(cell?.center ?? Coordinate(latitude: .nan, longitude: .nan))
    output.put(boundary.count)
    while boundary.count < 10 { boundary.append(Coordinate(latitude: 0, longitude: 0)) }
    for vertex in boundary { output.put(vertex) }

  case "valid":
    // Whether the index is a cell (bit 0), is a pentagon (1), is valid at resolution 5 (2), and packs and unpacks (3).
    let index = input.word()
    let cell = H3Cell(rawValue: index)
    var answer = cell == nil ? 0 : 1
    if cell?.isPentagon == true { answer |= 2 }
    if H3Cell.isValidResolution5(index) { answer |= 4 }
    if let packed = cell?.packed22, H3Cell(packed22: packed) == cell { answer |= 8 }
    output.put(answer)

  case "family":
    // A cell, a coarser and a finer resolution.
    guard let cell = H3Cell(rawValue: input.word()) else { fatalError("not a cell") }
    let (coarser, finer) = (input.int(), input.int())
    output.put((try? cell.parent(resolution: coarser))?.rawValue ?? UInt64.max)
    output.put((try? cell.childPosition(resolution: coarser)) ?? -1)
    output.put((try? cell.childrenCount(resolution: finer)) ?? -1)
    output.put((try? cell.centerChild(resolution: finer))?.rawValue ?? UInt64.max)
    let place = ((try? cell.childrenCount(resolution: finer)) ?? 1) / 3
    output.put((try? cell.child(at: place, resolution: finer))??.rawValue ?? UInt64.max)

  case "children":
    let cell = H3Cell(rawValue: input.word())
    let resolution = input.int()
    output.put((try? cell?.children(resolution: resolution)).map { $0.map { Array($0) } ?? [] })

  case "compact":
    output.put(try? H3Cell.compact(input.cells()))

  case "uncompact":
    let resolution = input.int()
    output.put(try? H3Cell.uncompact(input.cells(), resolution: resolution))

  case "disk":
    let cell = H3Cell(rawValue: input.word())
    let k = input.int()
    output.put(try? cell?.gridDisk(k))

  case "ring":
    let cell = H3Cell(rawValue: input.word())
    let k = input.int()
    output.put(try? cell?.gridRing(k))

  case "distance":
    guard let a = H3Cell(rawValue: input.word()), let b = H3Cell(rawValue: input.word()) else {
      fatalError("not a cell")
    }
    output.put((try? a.gridDistance(to: b)) ?? -1)
    output.put(a.isNeighbor(of: b) ? 1 : 0)

  case "path":
    guard let a = H3Cell(rawValue: input.word()), let b = H3Cell(rawValue: input.word()) else {
      fatalError("not a cell")
    }
    output.put(try? a.gridPath(to: b))

  case "measure":
    // The area, then each neighbour with the length of the common edge.
    guard let cell = H3Cell(rawValue: input.word()) else { fatalError("not a cell") }
    output.put(cell.areaSteradians)
    let neighbors = cell.neighbors
    output.put(neighbors.count)
    for neighbor in neighbors {
      output.put(neighbor.rawValue)
      output.put((try? cell.edgeLengthRadians(to: neighbor)) ?? .nan)
    }

  case "polygon":
    // The resolution, the containment mode (0 centre, 1 full, 2 overlapping), and the loops, the outer one first.
    let resolution = input.int()
    let containment: H3Containment = [.center, .full, .overlapping][input.int() % 3]
    let loops = (0..<input.int()).map { _ in input.coordinates() }
    let polygon = H3Polygon(outer: loops.first ?? [], holes: Array(loops.dropFirst()))
    output.put(try? H3Cell.cells(in: polygon, resolution: resolution, containment: containment))

  case "outline":
    let polygons = (try? H3Cell.multiPolygon(of: input.cells())) ?? []
    output.put(polygons.count)
    for polygon in polygons {
      output.put(1 + polygon.holes.count)
      output.put(polygon.outer)
      for hole in polygon.holes { output.put(hole) }
    }

  default:
    FileHandle.standardError.write(Data("unknown operation \(operation)\n".utf8))
    exit(2)
  }
}
FileHandle.standardOutput.write(Data(output.bytes))
