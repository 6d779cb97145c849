import ContrailCore

#if !hasFeature(Embedded)
  import ContrailAirportData
#endif

/// The result of reading the airport file of a cycle again, to compare with the recorded result.
package enum AirportsFinding: Sendable, Equatable {
  /// The line doesn't concern a file, or the file was downloaded in an earlier segment and isn't in the recording.
  case unchecked
  /// The digest of the airports in the file.
  case digest(UInt64)
  /// The file can't be read, or belongs to another cycle. The reason is attached.
  case unreadable(String)

  #if hasFeature(Embedded)
    /// Leaves a file unchecked: a browser can't decompress it, and its reader would be a tenth of the module.
    init(_ bytes: [UInt8], of edition: AirportEdition) { self = .unchecked }
  #else
    /// Reads a downloaded file in any supported format, compressed or not.
    ///
    /// - Complexity: O(*n*) in the decompressed size.
    init(_ bytes: [UInt8], of edition: AirportEdition) {
      let unpacker = AirportUnpacker()
      do throws(AirportDataError) {
        try Self.unpack(bytes, unpacker)
        var reader = try AirportReader(unpacked: unpacker.bytes)
        guard reader.header.cycle.identifier == edition.cycle else {
          self = .unreadable("the file is for cycle \(reader.header.cycle)")
          return
        }
        var digest = AirportDigest()
        while let airport = try reader.next() { digest.add(airport) }
        self = .digest(digest.value)
      } catch {
        self = .unreadable(error.description)
      }
    }

    private static func unpack(_ bytes: [UInt8], _ unpacker: AirportUnpacker) throws(AirportDataError) {
      let result = bytes.withUnsafeBytes { bytes -> Result<Void, AirportDataError> in
        do throws(AirportDataError) {
          return .success(try unpacker.append(bytes, isLast: true))
        } catch {
          return .failure(error)
        }
      }
      try result.get()
    }
  #endif

  /// A file in a recording's folder of blobs, read as the airports of a cycle.
  struct File: Hashable, Sendable {
    let folder: String
    let name: BlobName
    let edition: AirportEdition
  }

  /// Keeps the findings of files for other recordings that load them. Closures, because a browser's engine has no locks.
  struct Memory {
    let finding: (File) -> AirportsFinding?
    let keep: (File, AirportsFinding) -> Void
  }

  /// The digest of the airports, or `nil` if the file wasn't read.
  var digest: UInt64? {
    if case .digest(let digest) = self { digest } else { nil }
  }
}

extension Kind {
  /// Whether a line of this kind records the download or the loading of an airport file.
  var isOfAirportsFile: Bool { self == .airportsDownloaded || self == .airportsLoaded }
}
