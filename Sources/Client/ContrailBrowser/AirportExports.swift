import ContrailAirportData
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailWire

/// Puts out the airports of an uncompressed file, such as the answer to a search, which is in the scratch buffer.
@_expose(wasm, "airportFile") @_cdecl("contrail_client_airport_file")
public func airportFile(_ count: UInt32) -> UInt32 {
  do throws(AirportDataError) {
    var reader = AirportFileReader()
    reader.append(Array(buffers.scratch.prefix(Int(count))))
    var airports: [Airport] = []
    while let airport = try reader.next() { airports.append(airport) }
    try reader.finish()
    return put { json in json.array { json in for airport in airports { airport.write(to: &json) } } }
  } catch {
    let error = ClientError(
      .malformedAnswer, scope: .airports, message: "The response isn't a list of airports: \(error.reason)",
      advice: "Report this error to the operator of the service.", isTransient: false)
    return put { json in json.object { $0.nullable("error", error) } }
  }
}

extension Airport {
  fileprivate func write(to json: inout JSONWriter) {
    func number(_ name: StaticString, _ value: Double?, to json: inout JSONWriter) {
      if let value { json.member(name, value) }
    }
    json.object { json in
      json.member("id", recordID)
      json.member("locationID", locationID)
      json.member("icaoID", icaoID)
      json.member("iataID", iataID)
      json.member("name", name)
      json.member("city", city)
      json.key("position")
      json.value(coordinate)
      number("elevationFeet", elevationFeet, to: &json)
      number("variationDegrees", variationDegrees, to: &json)
      json.member("timeZone", timeZone)
      json.key("runways")
      json.array { json in
        for runway in runwaysLongestFirst {
          json.object { json in
            json.member("name", runway.name)
            number("lengthFeet", runway.lengthFeet, to: &json)
            number("widthFeet", runway.widthFeet, to: &json)
            number("trueHeadingDegrees", runway.trueHeadingDegrees, to: &json)
          }
        }
      }
    }
  }
}
