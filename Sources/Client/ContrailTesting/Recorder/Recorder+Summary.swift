import Contrail
package import ContrailCore
import ContrailEngine
import ContrailWire

extension Recorder {
  /// The result of a recording.
  package struct Summary: Sendable {
    /// The lines of the log. A replay counts fewer events, because marks are lines too.
    package var lines = 0
    package var spanMS: Int64 = 0
    package var fulls = 0
    package var deltas = 0
    package var repairs = 0
    package var uploads = 0
    package var cancelled = 0
    package var failures = 0
    /// The number of responses that the engine accepted.
    package var accepted = 0
    /// The lead of the server's clock over the flight's time in milliseconds, or `nil` if no response contained its time.
    package var serverLeadMS: Int64?
    /// The bytes of requests and responses, estimated as those of HTTP/1.1 without TLS.
    package var estimatedBytes: Int64 = 0
    package var digest: StateDigest
    /// The final corridor compared with a full response, or `nil` if there is nothing to compare.
    package var comparison: Comparison?
  }

  /// The final corridor, compared with a full response for the same token.
  package struct Comparison: Sendable, Equatable {
    /// The time of both, in seconds since 1970.
    package var token: Int64
    package var held: Int
    package var expected: Int
    /// The number of records that only the full response contains.
    package var missing: Int
    package var extra: Int
    /// The bytes of the request and of the full response, which aren't in the log.
    package var upBytes: Int64
    package var downBytes: Int64

    package var isEqual: Bool { missing == 0 && extra == 0 }
  }

  /// Requests all records for the corridor's token and compares them with the held ones.
  func compare(_ state: State) async -> Comparison? {
    guard let scope = state.scope(.corridor), let have = scope.have, have.broken == nil,
      case .ring(let ring) = have.spec.area
    else { return nil }
    let request = ObservationsRequest(
      ring: ring, filter: have.spec.filter)
    let outgoing = OutgoingRequest(
      number: 0, scope: .corridor, mode: .full, method: .post, target: ObservationsRequest.path, ifNoneMatch: nil,
      body: request.json)
    let outcome = await sender.adding([(WireHeader.simulatedTime, String(have.watermark * 1000))])
      .send(outgoing, with: credentials)
    guard case .answered(let response) = outcome, response.status == 200 else { return nil }
    guard let full = try? response.body.observations() else { return nil }
    var expected = ReportSet()
    full.reports.forEach { expected.insert($0) }
    let held = scope.reports
    return Comparison(
      token: have.watermark, held: held.count, expected: expected.count,
      missing: expected.sorted.count { !held.contains($0) }, extra: held.sorted.count { !expected.contains($0) },
      upBytes: response.sent?.total ?? 0, downBytes: response.wireBytes)
  }
}
