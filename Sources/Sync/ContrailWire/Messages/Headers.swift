/// The HTTP header fields that the protocol defines.
package enum WireHeader {
  /// The application's API key, in requests. Never logged.
  package static let apiKey = "X-API-Key"
  /// The identifier of an upload, so that a retry counts once.
  package static let idempotencyKey = "Idempotency-Key"
  /// The server's time in milliseconds since 1970, in responses.
  package static let serverTime = "Contrail-Time"
  /// The handle under which the server remembers the area of a request, in responses.
  package static let area = "Contrail-Area"
  /// The version of repairs that the server knows, in responses that contain a handle.
  package static let repairs = "Contrail-Repairs"
  /// The longest time in seconds that the server holds a request, in responses that contain a handle; missing if it holds none.
  package static let holds = "Contrail-Holds"
  /// The token that a delta by handle follows, in requests; it may also be `since` in the query.
  package static let since = "Contrail-Since"
  /// The checksum of the traffic that the client holds, in requests by handle; it may also be `traffic` in the query.
  package static let traffic = "Contrail-Traffic"
  /// The time for a simulated server to use, in milliseconds since 1970, in requests.
  package static let simulatedTime = "Contrail-Simulated-Time"
  /// The fault for a test server to inject, in requests. See the server's documentation.
  package static let fault = "Contrail-Fault"
}
