import ContrailCore
import ContrailWire

/// A delta without a record, before it is folded.
struct Silence {
  fileprivate var scope: ScopeID
  /// The watermark of the answer.
  fileprivate var token: Int64
}

extension Playback {
  /// Returns what to confirm if the next line answers a delta with nothing new; nil for all other lines.
  ///
  /// Other answers aren't decoded, because they are large.
  ///
  /// - Parameters:
  ///   - content: The line, before it is folded.
  ///   - scope: Its index into ``scopes``, or `LineColumns.none16`.
  func silence(_ content: RecordingReader.Step.Content, scope: UInt16) -> Silence? {
    guard case .event(.input(.responseReceived(let response))) = content, response.status == 200,
      scope != LineColumns.none16
    else { return nil }
    let id = scopes[Int(scope)]
    guard id.hasDeltas, let scope = replayer.state.scope(id), let inFlight = scope.inFlight,
      inFlight.request == response.request, inFlight.mode == .delta
    else { return nil }
    do throws(WireError) {
      let answer = try response.body.observations()
      // An answer contains all traffic, so aircraft that aren't in it have left.
      let isEmpty =
        answer.reports.isEmpty && answer.pireps.isEmpty && answer.traffic?.isEmpty != false
        && scope.records.traffic.isEmpty
      return isEmpty ? Silence(scope: id, token: answer.token) : nil
    } catch {
      return nil
    }
  }

  /// Returns whether the answer was taken: its counts and checksums are those of the data that is held.
  func isConfirmed(_ silence: Silence) -> Bool {
    guard let scope = replayer.state.scope(silence.scope), scope.inFlight == nil, let have = scope.have else {
      return false
    }
    return have.watermark == silence.token && have.condition == .sound
  }
}
