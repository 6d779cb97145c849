/// One cycle of airports: what it is called, and from when on it is the one to use.
///
/// Its dates are those of AIRAC; a log carries them, so that a fold needs no calendar.
public struct AirportEdition: Hashable, Sendable {
  /// Two digits of the year and two of the number: `2511`.
  public var cycle: String
  /// The first moment at which it is effective, in milliseconds since 1970.
  public var effectiveMS: Int64

  public init(cycle: String, effectiveMS: Int64) {
    self.cycle = cycle
    self.effectiveMS = effectiveMS
  }
}

/// A file of airports that the server has.
public struct AirportOffer: Hashable, Sendable {
  public var edition: AirportEdition
  /// Its name by content, and how many bytes it has.
  public var file: BlobName

  public init(edition: AirportEdition, file: BlobName) {
    self.edition = edition
    self.file = file
  }
}

extension Input {
  /// It was looked which cycles the server has.
  public struct AirportsChecked: Hashable, Sendable {
    /// The cycle that was looked for.
    public var wanted: AirportEdition
    /// What the server has, as far as it was asked; without ``wanted`` among it, that cycle can't be had yet.
    public var offers: [AirportOffer]

    public init(wanted: AirportEdition, offers: [AirportOffer] = []) {
      self.wanted = wanted
      self.offers = offers
    }

    /// Whether the cycle that was looked for can be had.
    public var isAvailable: Bool { offers.contains { $0.edition == wanted } }
  }

  /// A cycle's file has come as a whole. The log keeps it as a blob: what is made of it can be made again.
  public struct AirportsDownloaded: Hashable, Sendable {
    public var edition: AirportEdition
    public var blob: BlobName
    /// Bytes on the wire; 0 for a file that was there already.
    public var wireBytes: Int64

    public init(edition: AirportEdition, blob: BlobName, wireBytes: Int64) {
      self.edition = edition
      self.blob = blob
      self.wireBytes = wireBytes
    }
  }

  /// A cycle's airports stand ready to be used, all of them.
  public struct AirportsLoaded: Hashable, Sendable {
    public var edition: AirportEdition
    /// How many airports.
    public var count: Int64
    /// The sum over all of them, the same in any order.
    public var digest: UInt64
    /// How they differ from those of the cycle that was in use.
    public var changes: AirportDifferences

    public init(edition: AirportEdition, count: Int64, digest: UInt64, changes: AirportDifferences) {
      self.edition = edition
      self.count = count
      self.digest = digest
      self.changes = changes
    }
  }
}

/// How many airports of a cycle differ from those of the one before it.
public struct AirportDifferences: Hashable, Sendable {
  public var added: Int64
  public var removed: Int64
  public var changed: Int64
  /// Different in the magnetic variation only.
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
  /// A cycle that stood ready is in use from now on, and the one before it no more.
  public struct AirportsSwitched: Hashable, Sendable {
    public var edition: AirportEdition
    /// The sum over its airports.
    public var digest: UInt64
    public var cause: Int64
  }
}
