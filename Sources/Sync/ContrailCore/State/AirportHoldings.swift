import ContrailWire

/// The state of airport data.
///
/// It contains the cycle in use, the loaded cycle, and the results of the last attempts.
///
/// The airports themselves are in a database, which can be rebuilt from the files in the log (``Held/blob``).
package struct AirportHoldings: Sendable, Equatable {
  /// The cycle in use.
  package internal(set) var inUse: Held?
  /// A loaded cycle that is not yet effective.
  package internal(set) var waiting: Held?
  /// A downloaded file that is not yet loaded.
  package internal(set) var download: Download?
  /// The cycle whose load the user deferred.
  package internal(set) var deferred: AirportEdition?
  /// The time and result of the last check for a cycle.
  package internal(set) var lastCheck: Check?
  /// The last load, if it failed.
  package internal(set) var failure: Failure?

  /// The client's own requests for cycles.
  package internal(set) var delivery = AirportDelivery()

  /// A loaded cycle.
  package struct Held: Sendable, Equatable {
    package var edition: AirportEdition
    /// The number of airports.
    package var count: Int64
    /// The order-independent sum of the digests of all airports.
    package var digest: UInt64
    /// The file that the airports were loaded from; nil if the log has none.
    package var blob: BlobName?
  }

  /// A downloaded file.
  package struct Download: Sendable, Equatable {
    package var edition: AirportEdition
    package var blob: BlobName
  }

  /// A check of the server's offers.
  package struct Check: Sendable, Equatable {
    package var wanted: AirportEdition
    /// The time of the check, in milliseconds.
    package var at: Int64
    package var isAvailable: Bool
  }

  /// A failed load.
  package struct Failure: Sendable, Equatable {
    package var edition: AirportEdition
    /// A stable code, such as `cancelled`.
    package var code: String
  }

  /// Whether no airport event was ever recorded.
  package var isEmpty: Bool { self == AirportHoldings() }
}

extension AirportHoldings {
  mutating func load(_ loaded: Input.AirportsLoaded) {
    let edition = loaded.edition
    // A cycle that is loaded again keeps its earlier file, if that is known.
    let known = [download.map { ($0.edition, $0.blob) }, waiting?.source, inUse?.source].compactMap { $0 }
    waiting = Held(
      edition: edition, count: loaded.count, digest: loaded.digest, blob: known.first { $0.0 == edition }?.1)
    download = nil
    failure = nil
    if let deferred, deferred.effectiveMS <= edition.effectiveMS { self.deferred = nil }
  }

  mutating func fail(_ failure: Failure) {
    self.failure = failure
    if download?.edition == failure.edition { download = nil }
  }

  mutating func change(to switched: Decision.AirportsSwitched) {
    guard let ready = waiting, ready.edition == switched.edition, ready.digest == switched.digest else { return }
    inUse = ready
    waiting = nil
  }
}

extension AirportHoldings.Held {
  fileprivate var source: (AirportEdition, BlobName)? { blob.map { (edition, $0) } }
}

// MARK: JSON in the control part

extension AirportHoldings {
  func write(to json: inout JSONWriter) {
    json.object { json in
      if let inUse {
        json.key("inUse")
        inUse.write(to: &json)
      }
      if let waiting {
        json.key("waiting")
        waiting.write(to: &json)
      }
      if let download {
        json.key("download")
        AirportOffer(edition: download.edition, file: download.blob).write(to: &json)
      }
      if let deferred {
        json.key("deferred")
        json.object { deferred.writeMembers(to: &$0) }
      }
      if let lastCheck {
        json.key("lastCheck")
        json.object { json in
          lastCheck.wanted.writeMembers(to: &json)
          json.member("at", lastCheck.at)
          json.member("available", lastCheck.isAvailable)
        }
      }
      if let failure {
        json.key("failure")
        json.object { json in
          failure.edition.writeMembers(to: &json)
          json.member("code", failure.code)
        }
      }
      if delivery != AirportDelivery() {
        json.key("delivery")
        delivery.write(to: &json)
      }
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    self.init()
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "inUse": inUse = try Held(from: &json)
      case "waiting": waiting = try Held(from: &json)
      case "download":
        let offer = try AirportOffer(from: &json)
        download = Download(edition: offer.edition, blob: offer.file)
      case "deferred": deferred = try json.edition { _, _ throws(JSONError) in false }
      case "lastCheck":
        var at: Int64 = 0
        var isAvailable = false
        let wanted = try json.edition { key, json throws(JSONError) in
          switch key {
          case "at": at = try json.time()
          case "available": isAvailable = try json.bool()
          default: return false
          }
          return true
        }
        lastCheck = Check(wanted: wanted, at: at, isAvailable: isAvailable)
      case "failure":
        var code = ""
        let edition = try json.edition { key, json throws(JSONError) in
          guard key == "code" else { return false }
          code = try json.string()
          return true
        }
        failure = Failure(edition: edition, code: code)
      case "delivery": delivery = try AirportDelivery(from: &json)
      default: try json.skipValue()
      }
    }
  }
}

extension AirportHoldings.Held {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      edition.writeMembers(to: &json)
      json.member("count", count)
      json.key("digest")
      json.hex(digest)
      if let blob {
        json.member("blob", blob.sha256)
        json.member("size", Int64(blob.byteCount))
      }
    }
  }

  fileprivate init(from json: inout JSONReader) throws(JSONError) {
    var parts = EditionParts()
    var count: Int64?
    var digest: UInt64?
    try json.object { (key, json) throws(JSONError) in
      switch key {
      case "count": count = try json.ordinal()
      case "digest": digest = try json.hex()
      default: if try !parts.read(key.string, &json) { try json.skipValue() }
      }
    }
    guard let edition = parts.edition, let count, let digest else {
      throw json.fault("a loaded cycle must have 'cycle', 'effective', 'count' and 'digest'")
    }
    self.init(edition: edition, count: count, digest: digest, blob: parts.blob)
  }
}

extension JSONReader {
  /// Reads an object with an edition's members, and passes its other members to `other`.
  fileprivate mutating func edition(
    _ other: (String, inout JSONReader) throws(JSONError) -> Bool
  ) throws(JSONError) -> AirportEdition {
    var parts = EditionParts()
    try object { (key, json) throws(JSONError) in
      let name = key.string
      if try parts.read(name, &json) { return }
      if try !other(name, &json) { try json.skipValue() }
    }
    guard let edition = parts.edition else { throw fault("'cycle' and 'effective' are required") }
    return edition
  }
}
