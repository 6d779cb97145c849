import ContrailAirportData
import ContrailLog

/// Writes a folder of airport files for a static host, with the deltas between them and an index.
///
/// ```swift
/// let report = try AirportPublisher.publish(["2511.airports.xz"], in: "public/airports")
/// ```
///
/// See <doc:Publishing> for the layout of the folder.
public enum AirportPublisher {
  /// The name of the index.
  public static let indexName = "index.json"
  /// The number of earlier cycles from which each cycle gets a delta.
  public static let deltaCount = 2
  /// The version of the index.
  static let indexFormat = 1

  private static let fileSuffix = ".airports.xz"
  private static let maximumFileBytes = 64 << 20

  /// Adds files to a folder, and writes the missing deltas and the index.
  ///
  /// The index is written last, and each file is written completely or not at all. Files of earlier cycles are kept.
  ///
  /// - Parameters:
  ///   - files: The paths of airport files in any supported format, each of another cycle.
  ///   - directory: The folder, which must exist.
  /// - Returns: The contents of the folder.
  /// - Throws: ``AirportBuildError``.
  public static func publish(_ files: [String], in directory: String) throws(AirportBuildError) -> PublishReport {
    var written: [AIRACCycle: String] = [:]
    for file in files {
      let contents = try PublishedContents(path: file, bytes: try read(file))
      let cycle = contents.header.cycle
      if let other = written[cycle] {
        throw AirportBuildError(.noSource, file: file, reason: "it is of cycle \(cycle), like \(other)")
      }
      written[cycle] = file
      try write(try contents.packed(), to: "\(directory)/\(cycle)\(fileSuffix)", replacing: "an airport file")
    }
    var report = PublishReport()
    var earlier: [PublishedContents] = []
    for path in try published(in: directory) {
      let bytes = try read(path)
      let contents = try PublishedContents(path: path, bytes: bytes)
      var entry = PublishReport.Cycle(
        header: contents.header, digest: contents.digest, file: .init(path: path, bytes))
      for base in earlier.suffix(deltaCount).reversed() {
        let path = "\(directory)/\(base.header.cycle)-\(contents.header.cycle)\(PublishReport.deltaSuffix)"
        let delta = try delta(from: base, to: contents, at: path)
        // A delta that isn't smaller has no use.
        guard delta.count < bytes.count else { continue }
        entry.deltas.append(
          .init(base: base.header.cycle, baseDigest: base.digest, file: .init(path: path, delta)))
      }
      report.cycles.append(entry)
      earlier.append(contents)
    }
    try write(Array(report.indexJSON.utf8), to: "\(directory)/\(indexName)", replacing: "an index of airport files")
    return report
  }

  /// Creates the delta between two airport files, and checks that it gives the second.
  ///
  /// - Parameters:
  ///   - base: The path of the earlier file, in any supported format.
  ///   - file: The path of the later file.
  ///   - path: The path of the delta. An existing delta is replaced.
  /// - Returns: The sizes of the delta and of the later file, in bytes.
  /// - Throws: ``AirportBuildError``.
  public static func writeDelta(
    from base: String, to file: String, at path: String
  ) throws(AirportBuildError) -> (deltaBytes: Int, fileBytes: Int) {
    let old = try PublishedContents(path: base, bytes: try read(base))
    let new = try PublishedContents(path: file, bytes: try read(file))
    let bytes = try made(from: old, to: new)
    try write(bytes, to: path, replacing: "a delta of airports")
    return (bytes.count, try new.packed().count)
  }

  private static func delta(
    from base: PublishedContents, to contents: PublishedContents, at path: String
  ) throws(AirportBuildError) -> [UInt8] {
    if FileBytes.stamp(of: path) != nil, let held = try? read(path), let delta = try? AirportDelta(held),
      delta.baseDigest == base.digest, delta.digest == contents.digest, delta.header == contents.header
    {
      return held
    }
    let bytes = try made(from: base, to: contents)
    try write(bytes, to: path, replacing: "a delta of airports")
    return bytes
  }

  private static func made(
    from base: PublishedContents, to contents: PublishedContents
  ) throws(AirportBuildError) -> [UInt8] {
    do throws(AirportDataError) {
      let bytes = try AirportDelta.packed(
        from: base.airports, of: base.header.cycle, to: contents.airports, cycle: contents.header.cycle,
        sources: contents.header.sources)
      // Read back and applied, so that no delta is published that a client would refuse.
      _ = try AirportDelta(bytes).applied(to: base.airports)
      return bytes
    } catch {
      throw AirportBuildError(.unwritable, file: contents.path, reason: "\(error)")
    }
  }

  /// Returns the paths of the airport files in a folder, ordered by cycle.
  private static func published(in directory: String) throws(AirportBuildError) -> [String] {
    let names: [String]
    do {
      names = try POSIXStorage().names(in: directory)
    } catch {
      throw AirportBuildError(.unreadable, file: directory, reason: "the folder can't be listed")
    }
    let files = names.compactMap { name -> (AIRACCycle, String)? in
      guard name.hasSuffix(fileSuffix) else { return nil }
      return AIRACCycle(identifier: String(name.dropLast(fileSuffix.count))).map { ($0, "\(directory)/\(name)") }
    }
    return files.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func read(_ path: String) throws(AirportBuildError) -> [UInt8] {
    guard let stamp = FileBytes.stamp(of: path) else {
      throw AirportBuildError(.missingFile, file: path, reason: "it doesn't exist, or it isn't a file")
    }
    guard stamp.size <= maximumFileBytes else {
      throw AirportBuildError(.unreadable, file: path, reason: "it is larger than \(maximumFileBytes) bytes")
    }
    guard let bytes = FileBytes.read(path, in: 0..<stamp.size) else {
      throw AirportBuildError(.unreadable, file: path, reason: "it can't be read")
    }
    return bytes
  }

  private static func write(
    _ bytes: [UInt8], to path: String, replacing what: String
  ) throws(AirportBuildError) {
    if FileBytes.stamp(of: path) != nil, let held = try? read(path), held == bytes { return }
    do throws(LogError) {
      try StagedOutput.write(
        bytes, to: path,
        replacing: .init(what) { path in
          let start = FileBytes.read(path, in: 0..<8) ?? []
          // An .xz file, or the beginning of an index.
          return start.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])
            || start.starts(with: Array("{\"format".utf8.prefix(8)))
        }, creating: .shared)
    } catch {
      throw AirportBuildError(.unwritable, file: path, reason: error.reason)
    }
  }
}

/// The contents of an airport file.
private struct PublishedContents {
  let path: String
  let header: AirportCycle
  let airports: [Airport]
  let digest: AirportDigest
  /// The bytes, if they are already those of a packed airport file.
  private let packedBytes: [UInt8]?

  init(path: String, bytes: [UInt8]) throws(AirportBuildError) {
    self.path = path
    do throws(AirportDataError) {
      let unpacker = AirportUnpacker()
      try bytes.withUnsafeBufferPointer { bytes throws(AirportDataError) in
        try unpacker.append(UnsafeRawBufferPointer(bytes), isLast: true)
      }
      var reader = try AirportReader(unpacked: unpacker.bytes)
      var airports: [Airport] = []
      while let airport = try reader.next() { airports.append(airport) }
      header = AirportCycle(
        cycle: reader.header.cycle, sources: reader.header.sources, airportCount: airports.count,
        runwayCount: airports.reduce(0) { $0 + $1.runways.count })
      self.airports = airports
      digest = AirportDigest(airports)
      packedBytes =
        unpacker.bytes.starts(with: AirportFile.magic) && !bytes.starts(with: AirportFile.magic) ? bytes : nil
    } catch {
      throw AirportBuildError(.unreadable, file: path, reason: "\(error)")
    }
  }

  func packed() throws(AirportBuildError) -> [UInt8] {
    if let packedBytes { return packedBytes }
    do throws(AirportDataError) {
      return try AirportFile.packed(airports, cycle: header.cycle, sources: header.sources)
    } catch {
      throw AirportBuildError(.unwritable, file: path, reason: "\(error)")
    }
  }
}
