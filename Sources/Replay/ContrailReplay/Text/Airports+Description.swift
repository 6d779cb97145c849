import ContrailCore

extension AirportEdition {
  /// `2602, effective 2026-02-19 00:00:00 UTC`.
  var words: String { "\(cycle), effective \(Words.utc(effectiveMS))" }
}

extension Input.AirportsChecked {
  var words: String {
    let others = offers.map { $0.edition.cycle }.joined(separator: ", ")
    return "\(wanted.cycle): \(isAvailable ? "available" : "not available")"
      + (others.isEmpty ? "" : "; the server has \(others)")
  }
}

extension Input.AirportsLoaded {
  var words: String {
    "\(edition.words): \(Words.count(count, "airport")), \(changes.words)"
  }
}

extension AirportDifferences {
  /// `2 added, 1 removed, 3 changed, 4 in variation only, 109 unchanged`.
  var words: String {
    "\(added) added, \(removed) removed, \(changed) changed, \(varied) in variation only, \(unchanged) unchanged"
  }
}

extension Inspection {
  /// The fields that describe the airports.
  var airportsFields: [Field] {
    let airports = state.airports
    func held(_ held: AirportHoldings.Held) -> String {
      "\(held.edition.cycle), \(Words.count(held.count, "airport")); digest \(Words.digest(held.digest))"
    }
    var fields: [Field] = [("in use", airports.inUse.map(held) ?? "none")]
    if let waiting = airports.waiting {
      fields.append(("waiting", "\(held(waiting)); effective \(Words.utc(waiting.edition.effectiveMS))"))
    }
    if let download = airports.download {
      fields.append(("download", "\(download.edition.cycle), \(Words.bytes(Int64(download.blob.byteCount)))"))
    }
    if let deferred = airports.deferred { fields.append(("deferred", deferred.words)) }
    if let check = airports.lastCheck {
      let found = check.isAvailable ? "available" : "not available"
      fields.append(("checked", "\(check.wanted.cycle) at \(Words.offset(check.at - start)): \(found)"))
    }
    if let failure = airports.failure { fields.append(("failed", "\(failure.edition.cycle): \(failure.code)")) }
    if airports.delivery.isAutomatic {
      let request = airports.delivery.request.map { "requested, effective \(Words.utc($0))" }
      fields.append(("delivery", request ?? "automatic"))
    }
    return fields
  }
}
