import ContrailGeodesy
import ContrailWire

// What lines say, for people.

extension ServiceLine {
  /// The source of an answer or a failure.
  package var source: String? {
    switch self {
    case .answered(let answer): answer.source
    case .unchanged(let source, _): source
    case .failed(let failure): failure.source
    case .started, .uploaded, .area: nil
    }
  }

  /// Returns the line in words.
  ///
  /// - Parameter change: What the line changed.
  package func words(_ change: ServiceState.Change) -> String {
    switch (self, change) {
    case (.started(let version, let sources), _):
      "the service started: \(version)\(sources.isEmpty ? "" : ", \(sources.joined(separator: ", "))")"
    case (.answered(let answer), .gained(let gain)):
      "\(answer.source) answered \(Counted(answer.body.utf8.count, "byte")): \(gain.text)"
        + (gain.isFull ? "; \(SourceState.fullWarning)" : "")
    case (.answered(let answer), _): "\(answer.source) answered \(Counted(answer.body.utf8.count, "byte"))"
    case (.unchanged(let source, let status), _): "\(source) hasn't changed (\(status))"
    case (.failed(let failure), _): "\(failure.source) failed: \(failure.reason)"
    case (.uploaded(let upload), .uploaded(let answer)):
      "'\(upload.owner)' sent \(Counted(upload.reports.count, "report")): \(answer.text)"
    case (.uploaded(let upload), .refused(let error)):
      "'\(upload.owner)' sent \(Counted(upload.reports.count, "report")), which are refused: \(error.message)"
    case (.uploaded(let upload), _): "'\(upload.owner)' sent \(Counted(upload.reports.count, "report")) again"
    case (.area(let ring), _): "an area of \(Counted(ring.points.count, "point")) got a handle"
    }
  }
}
