/// An AIRAC cycle of airport data: its name and its effective date.
///
/// The dates follow the AIRAC calendar. Each log line carries them, so folding the log needs no calendar.
public struct AirportEdition: Hashable, Sendable {
  /// The year and the number of the cycle, two digits each: `2511`.
  public var cycle: String
  /// The start of validity, in milliseconds since 1970.
  public var effectiveMS: Int64

  public init(cycle: String, effectiveMS: Int64) {
    self.cycle = cycle
    self.effectiveMS = effectiveMS
  }
}

/// A file of airport data that the server offers.
public struct AirportOffer: Hashable, Sendable {
  public var edition: AirportEdition
  /// The file's content name (SHA-256) and size.
  public var file: BlobName

  public init(edition: AirportEdition, file: BlobName) {
    self.edition = edition
    self.file = file
  }
}

extension Input {
  /// The client checked which cycles the server offers.
  public struct AirportsChecked: Hashable, Sendable {
    /// The cycle that the client looked for.
    public var wanted: AirportEdition
    /// The offers that the server returned. If ``wanted`` isn't among them, the cycle isn't available yet.
    public var offers: [AirportOffer]

    public init(wanted: AirportEdition, offers: [AirportOffer] = []) {
      self.wanted = wanted
      self.offers = offers
    }

    /// Whether the server offers the wanted cycle.
    public var isAvailable: Bool { offers.contains { $0.edition == wanted } }
  }

  /// The file of a cycle was downloaded completely. The log keeps it as a blob, from which the database can be rebuilt.
  public struct AirportsDownloaded: Hashable, Sendable {
    public var edition: AirportEdition
    public var blob: BlobName
    /// The bytes on the wire; 0 if the file was already on the device.
    public var wireBytes: Int64

    public init(edition: AirportEdition, blob: BlobName, wireBytes: Int64) {
      self.edition = edition
      self.blob = blob
      self.wireBytes = wireBytes
    }
  }

  /// All airports of a cycle are loaded and ready for use.
  public struct AirportsLoaded: Hashable, Sendable {
    public var edition: AirportEdition
    /// The number of airports.
    public var count: Int64
    /// The order-independent sum of the digests of all airports.
    public var digest: UInt64
    /// The differences from the cycle in use before.
    public var changes: AirportDifferences

    public init(edition: AirportEdition, count: Int64, digest: UInt64, changes: AirportDifferences) {
      self.edition = edition
      self.count = count
      self.digest = digest
      self.changes = changes
    }
  }
}

/// The numbers of airports that differ between two consecutive cycles.
public struct AirportDifferences: Hashable, Sendable {
  public var added: Int64
  public var removed: Int64
  public var changed: Int64
  /// Airports that differ only in magnetic variation.
  public var varied: Int64
  public var unchanged: Int64

  public init(added: Int64 = 0, removed: Int64 = 0, changed: Int64 = 0, varied: Int64 = 0, unchanged: Int64 = 0) {
    self.added = added
    self.removed = removed
    self.changed = changed
    self.varied = varied
    self.unchanged = unchanged
  }
}

extension Decision {
  /// A loaded cycle takes effect and replaces the previous one.
  public struct AirportsSwitched: Hashable, Sendable {
    public var edition: AirportEdition
    /// The order-independent sum of the digests of its airports.
    public var digest: UInt64
    public var cause: Int64
  }
}
