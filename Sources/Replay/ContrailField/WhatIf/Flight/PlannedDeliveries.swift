import ContrailCore

/// The results of requests that haven't been delivered yet, in order of time, then of their requests.
struct PlannedDeliveries {
  struct Delivery {
    var at: Int64
    var request: Int64
    var input: Input
    var bytes: PendingBytes?
    /// Whether the recorded answer to the same request came although that was cancelled.
    var outlivesCancel = false
  }

  /// The contribution of a delivered exchange to the knowledge.
  struct PendingBytes {
    var up: WireModel.Estimate
    var down: WireModel.Estimate
    var isRecorded: Bool
    var share: Coverage.Share
    var isLinkKnown: Bool
    /// Whether the recording determines the request. A request for traffic depends on the held traffic.
    var isUpKnown = true
    /// Whether the server may have held the request.
    var isHeld = false
  }

  private var deliveries: [Delivery] = []

  /// The time of the next delivery, or `Int64.max` without deliveries.
  var nextAt: Int64 { deliveries.first?.at ?? .max }

  /// Whether the result of a request is still to come.
  func contains(_ request: Int64) -> Bool { deliveries.contains { $0.request == request } }

  mutating func removeFirst() -> Delivery { deliveries.removeFirst() }

  mutating func removeAll() { deliveries = [] }

  mutating func insert(_ delivery: Delivery) {
    let index = deliveries.firstIndex { ($0.at, $0.request) > (delivery.at, delivery.request) } ?? deliveries.count
    deliveries.insert(delivery, at: index)
  }

  /// Fails all requests, as a link does when it goes down.
  mutating func failAll(at now: Int64) {
    for index in deliveries.indices {
      deliveries[index].at = now
      deliveries[index].input = .responseFailed(
        request: deliveries[index].request, failure: .network, sent: deliveries[index].bytes.map { $0.up.sent })
    }
    deliveries.sort { $0.request < $1.request }
  }

  /// Removes the result of a cancelled request. A recorded answer that came all the same comes again.
  mutating func cancel(_ number: Int64) {
    deliveries.removeAll { $0.request == number && !$0.outlivesCancel }
  }
}
