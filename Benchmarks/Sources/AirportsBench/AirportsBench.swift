import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import Foundation

/// Loads a cycle from a compressed file into a new database and queries it: `AirportsBench FILE [NEXT]`.
///
/// Prints one line per measurement with its name and a number: nanoseconds, or KiB for `rss`. With NEXT, loading the
/// next cycle is also measured. Scripts/airports-bench runs it alternately with its peer.
@main enum AirportsBench {
  static let clock = ContinuousClock()

  static func main() throws {
    guard CommandLine.arguments.count > 1 else { throw CocoaError(.fileNoSuchFile) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("airports-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = CommandLine.arguments[1]

    print("lzma", try nanoseconds { try unpack(file) })

    let (start, processor) = (clock.now, processorTime())
    let database = try AirportDatabase(path: folder.appendingPathComponent("airports.sqlite").path)
    try load(file, into: database)
    guard try database.airport(icaoID: "EGLL") != nil else { throw CocoaError(.fileReadCorruptFile) }
    print("load", nanoseconds(clock.now - start))
    print("processor", processorTime() - processor)
    print("rss", peakKiB())

    if CommandLine.arguments.count > 2 {
      print("next", try nanoseconds { try load(CommandLine.arguments[2], into: database) })
    }
    try ask(database)
    guard let current = try database.status().current else { return }
    print("airports", current.airportCount)
    print("digest", current.digest)
  }

  static func load(_ path: String, into database: AirportDatabase) throws {
    let reader = try AirportReader(Array(Data(contentsOf: URL(fileURLWithPath: path))))
    try database.load(reader, fingerprint: path, at: reader.header.cycle.effectiveTime)
  }

  /// Decompresses a file, which measures liblzma alone.
  static func unpack(_ path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.withUnsafeBytes { try AirportUnpacker().append($0, isLast: true) }
  }

  static func ask(_ database: AirportDatabase) throws {
    let codes = ["EGLL", "KSGF", "RJTT", "NZSP", "KJFK", "YSSY", "SBGR", "FAOR"]
    let points = [(38.0, -97.0), (0, 180), (51, 0), (-90, 0), (35, 139), (-34, 151), (60, -150), (48, 10)]
    for _ in 0..<2 { _ = try database.airport(icaoID: "EGLL") }
    let rounds = 50
    let lookup = try nanoseconds {
      for _ in 0..<rounds {
        for code in codes { _ = try database.airport(icaoID: code) }
      }
    }
    print("lookup", lookup / (rounds * codes.count))
    let nearest = try nanoseconds {
      for _ in 0..<rounds {
        for (latitude, longitude) in points {
          _ = try database.airports(nearest: Coordinate(latitude: latitude, longitude: longitude), count: 10)
        }
      }
    }
    print("nearest", nearest / (rounds * points.count))
    let search = try nanoseconds { for _ in 0..<rounds { _ = try database.airports(matching: "heathr") } }
    print("search", search / rounds)
  }

  // MARK: Measures

  /// RUSAGE_SELF, which is an enumeration on some systems.
  private static let ownProcess: Int32 = 0

  static func nanoseconds(_ body: () throws -> Void) rethrows -> Int { nanoseconds(try clock.measure(body)) }

  static func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// Returns the CPU time of the process, including system calls.
  static func processorTime() -> Int {
    var usage = rusage()
    getrusage(ownProcess, &usage)
    let seconds = Int(usage.ru_utime.tv_sec) + Int(usage.ru_stime.tv_sec)
    let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return seconds * 1_000_000_000 + microseconds * 1000
  }

  static func peakKiB() -> Int {
    var usage = rusage()
    getrusage(ownProcess, &usage)
    #if canImport(Darwin)
      return usage.ru_maxrss / 1024
    #else
      return usage.ru_maxrss
    #endif
  }
}
