/// The part of a weather answer that the engine must understand; the rest is for those who show it.
public enum WeatherHead {
  /// Checks that the body is an answer with `"status":"ok"`, and returns its `server_time` in seconds since 1970; nil where it has none.
  ///
  /// - Throws: ``WireFault/refused(_:)`` for `{"status":"failed",…}`, with the service's own words.
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
          // Words for people, where they are words.
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
