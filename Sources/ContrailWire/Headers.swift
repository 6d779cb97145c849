/// The HTTP header fields that the protocol defines.
public enum WireHeader {
  /// The application's API key, in requests. Never logged.
  public static let apiKey = "X-API-Key"
  /// The identifier of an upload, so that a retry counts once.
  public static let idempotencyKey = "Idempotency-Key"
  /// The server's time in milliseconds since 1970, in responses.
  public static let serverTime = "Contrail-Time"
  /// The time for a simulated server to use, in milliseconds since 1970, in requests.
  public static let simulatedTime = "Contrail-Simulated-Time"
  /// The fault for a test server to inject, in requests. See the server's documentation.
  public static let fault = "Contrail-Fault"
}
