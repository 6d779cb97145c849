package import ContrailGeodesy
package import ContrailWire

/// The parameters of a weather request that the app made on its own, without a scope of the data query.
package struct WeatherLookup: Hashable, Sendable {
  package var place: RoundedCoordinate
  /// The version of the service's interface, such as `v2.6`.
  package var version: String
  package var spec: WeatherSpec

  package init(place: RoundedCoordinate, version: String, spec: WeatherSpec) {
    self.place = place
    self.version = version
    self.spec = spec
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("place", place.key)
    json.member("version", version)
    json.key("spec")
    spec.write(to: &json)
  }

  init(_ members: Members) throws(EventError) {
    self.init(
      place: try members.required("place") { (json) throws(JSONError) in try json.place() },
      version: try members.string("version"),
      spec: try members.required("spec") { (json) throws(JSONError) in try WeatherSpec(from: &json) })
  }
}

extension Input {
  /// The answer to a weather request that the app made on its own.
  ///
  /// It changes nothing in the state: the app received it directly. The line accounts for its bytes.
  package struct WeatherReceived: Hashable, Sendable {
    package var lookup: WeatherLookup
    /// The HTTP status.
    package var status: Int
    /// The bytes on the wire: headers and body as sent, compressed.
    package var wireBytes: Int64
    package var body: Body

    package init(lookup: WeatherLookup, status: Int, wireBytes: Int64, body: Body) {
      self.lookup = lookup
      self.status = status
      self.wireBytes = wireBytes
      self.body = body
    }

    func writeMembers(to json: inout JSONWriter) {
      lookup.writeMembers(to: &json)
      json.member("status", Int64(status))
      json.member("bytes", wireBytes)
      body.writeMembers(to: &json)
    }

    init(_ members: Members, _ blob: (BlobName) -> [UInt8]?) throws(EventError) {
      self.init(
        lookup: try WeatherLookup(members),
        status: try members.required("status") { (json) throws(JSONError) in try json.integer(in: 0...999) },
        wireBytes: try members.ordinal("bytes"), body: try Body(members, blob))
    }
  }
}
