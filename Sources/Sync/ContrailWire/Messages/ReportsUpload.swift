/// The body of `POST /reports/v5`: ownship turbulence reports.
package struct ReportsUpload: Hashable, Sendable {
  package var reports: [TurbulenceReport]

  /// The maximum number of reports in one upload.
  package static let maximumCount = 10_000
  /// The path relative to the server URL.
  package static let path = "/reports/v5"

  package init(reports: [TurbulenceReport]) {
    self.reports = reports
  }

  /// The upload as JSON.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("reports")
      json.array { json in reports.forEach { $0.write(to: &json) } }
    }
    return json.bytes
  }

  /// Creates an upload from JSON.
  ///
  /// - Throws: ``WireError`` if the JSON is invalid or `reports` is missing.
  package init(json bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reports: [TurbulenceReport]?
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.object { (key, json) throws(JSONError) in
        guard case "reports" = key else {
          try json.skipValue()
          return
        }
        var list: [TurbulenceReport] = []
        try json.array { (json) throws(JSONError) in
          guard list.count < Self.maximumCount else {
            throw json.fault("an upload must not have more than \(Self.maximumCount) reports")
          }
          list.append(try TurbulenceReport(from: &json))
        }
        reports = list
      }
      try json.end()
    } catch {
      throw WireError.json(error)
    }
    guard let reports else { throw WireError.missing("reports") }
    self.reports = reports
  }
}
