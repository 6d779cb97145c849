/// The part of a weather response that the engine validates. The rest is passed on unchanged.
package enum WeatherHead {
  /// Checks that the document has `"status":"ok"` and a result, and returns its `server_time` in seconds since 1970.
  ///
  /// - Returns: The server's time; nil if the response has none.
  /// - Throws: ``WireError/refused(_:)`` for `{"status":"failed",…}`, with the service's message; another ``WireError``
  ///   if a member is missing or of another type.
  package static func serverTime(_ document: JSONDocument) throws(WireError) -> Int64? {
    var status: String?
    var reason: String?
    var time: Int64?
    var hasResult = false
    do throws(JSONError) {
      try document.forEachMember { (key, json) throws(JSONError) in
        switch key {
        case "status": status = try json.string()
        case "error":
          // A description for people, if it is a string.
          if json.isAtString { reason = try json.string() }
        case "server_time": time = try json.unixTime()
        case "result": hasResult = true
        default: break
        }
      }
    } catch {
      throw WireError.json(error)
    }
    guard let status else { throw WireError.missing("status") }
    guard status == "ok" else { throw WireError.refused(reason ?? status) }
    guard hasResult else { throw WireError.missing("result") }
    return time
  }
}
