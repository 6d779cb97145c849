import ContrailCore
import ContrailEngine
import ContrailWire

extension Recorder {
  /// The final corridor, compared with a full response for the same token.
  package struct Comparison: Sendable, Equatable {
    /// The time of both, in seconds since 1970.
    package var token: Int64
    package var held: Int
    package var expected: Int
    /// The number of records that only the full response contains.
    package var missing: Int
    package var extra: Int

    package var isEqual: Bool { missing == 0 && extra == 0 }
  }

  /// Requests all records for the corridor's token and compares them with the held ones.
  func compare(_ state: State) async -> Comparison? {
    guard let scope = state.scope(.corridor), let have = scope.have, have.broken == nil,
      case .ring(let ring) = have.spec.area
    else { return nil }
    let request = ObservationsRequest(
      ring: ring, types: have.spec.types, severities: have.spec.severities, altitudes: have.spec.altitudes,
      history: have.spec.history)
    let outgoing = OutgoingRequest(
      number: 0, scope: .corridor, mode: .full, method: .post, target: ObservationsRequest.path, ifNoneMatch: nil,
      body: request.json)
    let outcome = await sender.adding([(WireHeader.simulatedTime, String(have.watermark * 1000))])
      .send(outgoing, with: credentials)
    guard case .answered(let answer) = outcome, answer.response.status == 200 else { return nil }
    let full = answer.body.withUnsafeBytes { try? ObservationsAnswer(json: $0) }
    guard let full else { return nil }
    var expected = ReportSet()
    full.reports.forEach { expected.insert($0) }
    let held = scope.reports
    return Comparison(
      token: have.watermark, held: held.count, expected: expected.count,
      missing: expected.sorted.count { !held.contains($0) }, extra: held.sorted.count { !expected.contains($0) })
  }
}
