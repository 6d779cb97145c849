import ContrailWire

// JSON encoding and decoding of the airport events.

extension AirportEdition {
  func writeMembers(to json: inout JSONWriter) {
    json.member("cycle", cycle)
    json.member("effective", effectiveMS)
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      cycle: try members.required("cycle") { (json) throws(JSONError) in try json.cycle() },
      effectiveMS: try members.required("effective") { (json) throws(JSONError) in try json.time() })
  }
}

extension AirportOffer {
  func write(to json: inout JSONWriter) {
    json.object { json in
      edition.writeMembers(to: &json)
      json.member("blob", file.sha256)
      json.member("size", Int64(file.byteCount))
    }
  }

  init(from json: inout JSONReader) throws(JSONError) {
    var parts = EditionParts()
    try json.object { (key, json) throws(JSONError) in
      guard try !parts.read(key.string, &json) else { return }
      try json.skipValue()
    }
    guard let edition = parts.edition, let file = parts.blob else {
      throw json.fault("an airport offer must have 'cycle', 'effective', 'blob' and 'size'")
    }
    self.init(edition: edition, file: file)
  }
}

/// Collects the members of an edition and its file while an object is being read.
struct EditionParts {
  private var cycle: String?
  private var effectiveMS: Int64?
  private var sha256: String?
  private var byteCount: Int?

  var edition: AirportEdition? {
    guard let cycle, let effectiveMS else { return nil }
    return AirportEdition(cycle: cycle, effectiveMS: effectiveMS)
  }

  var blob: BlobName? {
    guard let sha256, let byteCount else { return nil }
    return BlobName(sha256: sha256, byteCount: byteCount)
  }

  /// Reads the member's value if `key` names one of these members; returns whether it did.
  mutating func read(_ key: String, _ json: inout JSONReader) throws(JSONError) -> Bool {
    switch key {
    case "cycle": cycle = try json.cycle()
    case "effective": effectiveMS = try json.time()
    case "blob": sha256 = try json.string()
    case "size": byteCount = try json.integer(in: 0...Int.max)
    default: return false
    }
    return true
  }
}

extension JSONReader {
  /// Reads an AIRAC cycle of four digits.
  mutating func cycle() throws(JSONError) -> String {
    let text = try string()
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw fault("expected an AIRAC cycle of four digits, got '\(text)'")
    }
    return text
  }
}

extension Input.AirportsChecked {
  func writeMembers(to json: inout JSONWriter) {
    wanted.writeMembers(to: &json)
    json.key("offers")
    json.array { json in offers.forEach { $0.write(to: &json) } }
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      wanted: try AirportEdition(members),
      offers: try members.required("offers") { (json) throws(JSONError) in
        var offers: [AirportOffer] = []
        try json.array { (json) throws(JSONError) in offers.append(try AirportOffer(from: &json)) }
        return offers
      })
  }
}

extension Input.AirportsDownloaded {
  func writeMembers(to json: inout JSONWriter) {
    edition.writeMembers(to: &json)
    json.member("blob", blob.sha256)
    json.member("size", Int64(blob.byteCount))
    json.member("bytes", wireBytes)
    if let base { json.member("base", base) }
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      edition: try AirportEdition(members),
      blob: BlobName(
        sha256: try members.string("blob"),
        byteCount: try members.required("size") { (json) throws(JSONError) in try json.integer(in: 0...Int.max) }),
      wireBytes: try members.ordinal("bytes"),
      base: try members.optional("base") { (json) throws(JSONError) in try json.cycle() })
  }
}

extension Input.AirportsLoaded {
  func writeMembers(to json: inout JSONWriter) {
    edition.writeMembers(to: &json)
    json.member("count", count)
    json.key("digest")
    json.hex(digest)
    json.member("added", changes.added)
    json.member("removed", changes.removed)
    json.member("changed", changes.changed)
    json.member("varied", changes.varied)
    json.member("unchanged", changes.unchanged)
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      edition: try AirportEdition(members), count: try members.ordinal("count"),
      digest: try members.required("digest") { (json) throws(JSONError) in try json.hex() },
      changes: AirportDifferences(
        added: try members.ordinal("added"), removed: try members.ordinal("removed"),
        changed: try members.ordinal("changed"), varied: try members.ordinal("varied"),
        unchanged: try members.ordinal("unchanged")))
  }
}

extension Decision.AirportsRequested {
  func writeMembers(to json: inout JSONWriter) {
    json.member("rule", Rule.delivered.rawValue)
    json.member("effective", effectiveMS)
    json.member("reason", reason.rawValue)
    json.member("cause", cause)
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      effectiveMS: try members.required("effective") { (json) throws(JSONError) in try json.time() },
      reason: try members.required("reason") { (json) throws(JSONError) in try json.named() },
      cause: try members.ordinal("cause"))
  }
}

extension Decision.AirportsSwitched {
  func writeMembers(to json: inout JSONWriter) {
    json.member("rule", Rule.switched.rawValue)
    edition.writeMembers(to: &json)
    json.key("digest")
    json.hex(digest)
    json.member("cause", cause)
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      edition: try AirportEdition(members),
      digest: try members.required("digest") { (json) throws(JSONError) in try json.hex() },
      cause: try members.ordinal("cause"))
  }
}
