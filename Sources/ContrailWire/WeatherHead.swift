/// The part of a weather response that the engine validates. The rest is passed on unchanged.
public enum WeatherHead {
  /// Checks that the body has `"status":"ok"` and a result, and returns its `server_time` in seconds since 1970.
  ///
  /// - Returns: The server's time; nil if the response has none.
  /// - Throws: ``WireFault/refused(_:)`` for `{"status":"failed",…}`, with the service's message; another ``WireFault``
  ///   if the body is invalid.
  public static func serverTime(json bytes: UnsafeRawBufferPointer) throws(WireFault) -> Int64? {
    var status: String?
    var reason: String?
    var time: Int64?
    var hasResult = false
    do throws(JSONFault) {
      var json = JSONReader(bytes)
      try json.object { (key, json) throws(JSONFault) in
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
      throw WireFault.json(error)
    }
    guard let status else { throw WireFault.missing("status") }
    guard status == "ok" else { throw WireFault.refused(reason ?? status) }
    guard hasResult else { throw WireFault.missing("result") }
    return time
  }
}
