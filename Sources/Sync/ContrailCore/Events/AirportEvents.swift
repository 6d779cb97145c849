/// An AIRAC cycle of airport data: its name and its effective date.
///
/// The dates follow the AIRAC calendar. Each log line carries them, so folding the log needs no calendar.
package struct AirportEdition: Hashable, Sendable {
  /// The year and the number of the cycle, two digits each: `2511`.
  package var cycle: String
  /// The start of validity, in milliseconds since 1970.
  package var effectiveMS: Int64

  package init(cycle: String, effectiveMS: Int64) {
    self.cycle = cycle
    self.effectiveMS = effectiveMS
  }
}

/// A file of airport data that the server offers.
package struct AirportOffer: Hashable, Sendable {
  package var edition: AirportEdition
  /// The file's content name (SHA-256) and size.
  package var file: BlobName

  package init(edition: AirportEdition, file: BlobName) {
    self.edition = edition
    self.file = file
  }
}

extension Input {
  /// The client checked which cycles the server offers.
  package struct AirportsChecked: Hashable, Sendable {
    /// The cycle that the client looked for.
    package var wanted: AirportEdition
    /// The offers that the server returned. If ``wanted`` isn't among them, the cycle isn't available yet.
    package var offers: [AirportOffer]

    package init(wanted: AirportEdition, offers: [AirportOffer] = []) {
      self.wanted = wanted
      self.offers = offers
    }

    /// Whether the server offers the wanted cycle.
    package var isAvailable: Bool { offers.contains { $0.edition == wanted } }
  }

  /// The file of a cycle was downloaded completely. The log keeps it as a blob, from which the database can be rebuilt.
  package struct AirportsDownloaded: Hashable, Sendable {
    package var edition: AirportEdition
    package var blob: BlobName
    /// The bytes on the wire; 0 if the file was already on the device.
    package var wireBytes: Int64
    /// The cycle from which a delta was downloaded; nil if the file itself was. The blob is the complete file either way.
    package var base: String?

    package init(edition: AirportEdition, blob: BlobName, wireBytes: Int64, base: String? = nil) {
      self.edition = edition
      self.blob = blob
      self.wireBytes = wireBytes
      self.base = base
    }
  }

  /// All airports of a cycle are loaded and ready for use.
  package struct AirportsLoaded: Hashable, Sendable {
    package var edition: AirportEdition
    /// The number of airports.
    package var count: Int64
    /// The order-independent sum of the digests of all airports.
    package var digest: UInt64
    /// The differences from the cycle in use before.
    package var changes: AirportDifferences

    package init(edition: AirportEdition, count: Int64, digest: UInt64, changes: AirportDifferences) {
      self.edition = edition
      self.count = count
      self.digest = digest
      self.changes = changes
    }
  }
}

/// The numbers of airports that differ between two consecutive cycles.
package struct AirportDifferences: Hashable, Sendable {
  package var added: Int64
  package var removed: Int64
  package var changed: Int64
  /// Airports that differ only in magnetic variation.
  package var varied: Int64
  package var unchanged: Int64

  package init(added: Int64 = 0, removed: Int64 = 0, changed: Int64 = 0, varied: Int64 = 0, unchanged: Int64 = 0) {
    self.added = added
    self.removed = removed
    self.changed = changed
    self.varied = varied
    self.unchanged = unchanged
  }
}

extension Decision {
  /// A loaded cycle takes effect and replaces the previous one.
  package struct AirportsSwitched: Hashable, Sendable {
    package var edition: AirportEdition
    /// The order-independent sum of the digests of its airports.
    package var digest: UInt64
    package var cause: Int64
  }

  /// The airports of a cycle are requested, because they are due.
  package struct AirportsRequested: Hashable, Sendable {
    /// The effective time of the cycle, in milliseconds since 1970. The AIRAC calendar gives its name.
    package var effectiveMS: Int64
    package var reason: DeliveryReason
    package var cause: Int64
  }

  /// The reason for requesting a cycle.
  package enum DeliveryReason: String, CaseIterable, Hashable, Sendable {
    /// No cycle is in use.
    case first
    /// The cycle in use isn't the effective one.
    case expired
    /// The next cycle becomes effective soon.
    case ahead
  }
}
