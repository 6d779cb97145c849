/// The body of an error response: `{"data":{"statusCode":400,"code":…,"error":…,"message":…}}`.
package struct ServiceError: Error, Hashable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// A stable code such as `DELTA_UNAVAILABLE`.
  package var code: String
  /// A description of the error for people.
  package var message: String

  package init(status: Int, code: String, message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  /// The code of a 410: the watermark is too old, or unknown to the server.
  package static let deltaUnavailable = "DELTA_UNAVAILABLE"

  /// The code of a 404: the server doesn't remember the area of this handle.
  package static let areaUnknown = "AREA_UNKNOWN"

  /// The code of a 409: more differs between the client's records and the server's than the sketch shows.
  package static let differenceTooLarge = "DIFFERENCE_TOO_LARGE"

  /// Returns the error as JSON; `reason` is the HTTP reason phrase of the status.
  package func json(reason: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("data")
      json.object { json in
        json.member("statusCode", status)
        json.member("code", code)
        json.member("error", reason)
        json.member("message", message)
      }
      for key in ["meta", "links", "warnings"] {
        json.key(named: key)
        json.object { _ in }
      }
    }
    return json.bytes
  }

  /// Creates an error from the body of a response; nil if the body is not an error.
  package init?(status: Int, json bytes: UnsafeRawBufferPointer) {
    var code: String?
    var message = ""
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.data { (key, json) throws(JSONError) in
        switch key {
        case "code": code = try json.string()
        case "message": message = try json.string()
        default: try json.skipValue()
        }
      }
      try json.end()
    } catch {
      return nil
    }
    guard let code else { return nil }
    self.init(status: status, code: code, message: message)
  }
}
