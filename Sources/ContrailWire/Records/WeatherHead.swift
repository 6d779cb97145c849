/// The part of a weather response that the engine validates. The rest is passed on unchanged.
package enum WeatherHead {
  /// Checks that the body has `"status":"ok"` and a result, and returns its `server_time` in seconds since 1970.
  ///
  /// - Returns: The server's time; nil if the response has none.
  /// - Throws: ``WireError/refused(_:)`` for `{"status":"failed",…}`, with the service's message; another ``WireError``
  ///   if the body is invalid.
  package static func serverTime(json bytes: UnsafeRawBufferPointer) throws(WireError) -> Int64? {
    var status: String?
    var reason: String?
    var time: Int64?
    var hasResult = false
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.object { (key, json) throws(JSONError) in
        switch key {
        case "status": status = try json.string()
        case "error":
          let value = json.slice(try json.skipValue())
          // A description for people, if it is a string.
          var text = JSONReader(value)
          if value.first == UInt8(ascii: "\"") { reason = try text.string() }
        case "server_time": time = try json.unixTime()
        case "result":
          hasResult = true
          try json.skipValue()
        default: try json.skipValue()
        }
      }
      try json.end()
    } catch {
      throw WireError.json(error)
    }
    guard let status else { throw WireError.missing("status") }
    guard status == "ok" else { throw WireError.refused(reason ?? status) }
    guard hasResult else { throw WireError.missing("result") }
    return time
  }
}
