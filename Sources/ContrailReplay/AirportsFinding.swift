import ContrailAirportData
import ContrailCore

/// What the file of a cycle gives when it is read anew, to be held against what the line says that was made of it.
public enum AirportsFinding: Sendable, Equatable {
  /// The line isn't about a file, or the recording doesn't hold it: it came in an earlier segment.
  case unchecked
  /// The sum over the airports that are in it.
  case digest(UInt64)
  /// It can't be read, or is of another cycle.
  case unreadable(String)

  /// Reads a file: packed as it came, in any of the forms that are known.
  ///
  /// - Complexity: O(*n*) in its bytes, unpacked.
  init(_ bytes: [UInt8], of edition: AirportEdition) {
    let unpacker = AirportUnpacker()
    do throws(AirportDataError) {
      try Self.unpack(bytes, unpacker)
      var reader = try AirportReader(unpacked: unpacker.bytes)
      guard reader.header.cycle.identifier == edition.cycle else {
        self = .unreadable("it is of cycle \(reader.header.cycle)")
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

  /// The sum, if the file gave one.
  var digest: UInt64? {
    if case .digest(let digest) = self { digest } else { nil }
  }
}

extension Kind {
  /// Whether a line of this kind names a file of airports, or says what was made of one.
  var isOfAirportsFile: Bool { self == .airportsDownloaded || self == .airportsLoaded }
}
