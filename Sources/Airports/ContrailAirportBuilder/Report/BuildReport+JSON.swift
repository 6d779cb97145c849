import ContrailAirportData

extension BuildReport {
  /// The report as one JSON object with keys in a fixed order.
  public var json: String {
    var json = ReportJSON()
    json.object { json in
      json.field("cycle", cycle.identifier)
      json.field("effectiveFrom", "\(cycle.effectiveDay)")
      json.field("nasrCycle", nasrCycle?.identifier)
      json.field("airports", airportCount)
      json.field("runways", runwayCount)
      json.field("timeZones", timeZoneCount)
      json.field("bytes", fileBytes)
      json.field("digest", "\(digest)")
      json.field("warnings", warnings)
      json.key("flows")
      json.object { json in
        for (name, flow) in [
          ("nasrAirports", nasrAirports), ("nasrRunways", nasrRunways), ("ourAirports", ourAirports),
          ("ourRunways", ourRunways),
        ] {
          json.key(name)
          json.object { json in
            json.field("read", flow.read)
            json.field("kept", flow.kept)
            json.field("merged", flow.merged)
            json.key("dropped")
            json.tallies(Dictionary(uniqueKeysWithValues: flow.dropped.map { ($0.key.rawValue, $0.value) }))
          }
        }
      }
      json.key("nasrOrphanEnds")
      json.tally(nasrOrphanEnds)
      json.key("matched")
      json.tallies(["identifier": matchedByIdentifier, "nearness": matchedByNearness])
      for (name, tallies) in [
        ("conflicts", conflicts), ("filled", filled), ("computed", computed), ("refusedValues", refusedValues),
      ] {
        json.key(name)
        json.tallies(tallies)
      }
      json.key("unknownSurfaces")
      json.object { json in
        for (spelling, count) in unknownSurfaces.sorted(by: { $0.key < $1.key }) { json.field(spelling, count) }
      }
      json.field("malformedRows", malformedCount)
      json.key("malformed")
      json.array(malformed) { json, row in
        json.object { json in
          json.field("file", row.file)
          json.field("line", row.line)
          json.field("reason", row.reason)
        }
      }
    }
    return json.text
  }
}
