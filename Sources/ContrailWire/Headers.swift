/// The header fields that the protocol adds to HTTP.
public enum WireHeader {
  /// The application's key, in requests. Never logged.
  public static let apiKey = "X-API-Key"
  /// Names an upload, so that one that is sent twice counts once.
  public static let idempotencyKey = "Idempotency-Key"
  /// The server's time in milliseconds since 1970, in answers.
  public static let serverTime = "Contrail-Time"
  /// In requests to a server whose world is simulated: the time that it is to be, in milliseconds since 1970.
  public static let simulatedTime = "Contrail-Simulated-Time"
  /// In requests to a server that may misbehave on request: how. See the server's documentation.
  public static let fault = "Contrail-Fault"
}
