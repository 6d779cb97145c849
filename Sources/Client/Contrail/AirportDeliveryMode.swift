/// Who loads the airports of an AIRAC cycle.
public enum AirportDeliveryMode: Hashable, Sendable {
  /// The client, in the background: at launch, when the cycle in use expires, a week before the next one, and when the link
  /// returns. A load that the user deferred isn't requested.
  case automatic
  /// The application, by ``AirportService/loadCurrent()`` and ``AirportService/loadNext()``.
  case manual
}
