public import Contrail
import ContrailCore
import Foundation

/// Plays a recording through ``/Contrail/ContrailClient``: an app shows what it showed on that flight, at any speed.
///
/// ```swift
/// let player = try FlightPlayer(Recording(url))
/// try await player.seek(to: .seconds(3600))
/// show(player.client.data(of: .corridor).turbulence)
/// ```
///
/// The client has no server. The settings of an app have no effect on what it shows, and nothing is written or sent.
public final class FlightPlayer: Sendable {
  /// The client. It publishes the recorded data, statuses and errors.
  public let client: ContrailClient
  /// The length of the recording.
  public let length: Duration
  private let stage: FlightStage

  /// Opens a recording at its start.
  ///
  /// - Throws: ``TestingError`` if it can't be read to its end, or contains no input.
  /// - Complexity: O(*n*) in the size of the recording. One line is in memory.
  public init(_ recording: Recording) throws(TestingError) {
    let span = try RecordedLines.span(of: recording.url.path)
    let clock = PlayerClock(at: span.lowerBound)
    let stage = FlightStage(path: recording.url.path, span: span, clock: clock)
    self.stage = stage
    length = .milliseconds(span.upperBound - span.lowerBound)
    // The client's airports have a folder, in which nothing is created.
    let folder = FileManager.default.temporaryDirectory.appending(path: "contrail-player").path
    client = ContrailClient(directory: folder, clock: clock) { side in
      stage.attach(side)
      return stage
    }
  }

  /// The time since the start of the recording.
  public var position: Duration { stage.position }

  /// The query that the app had at this time.
  public var dataQuery: DataQuery { get async { await stage.query } }

  /// Moves to a time, also an earlier one. The client publishes the difference to what it shows.
  ///
  /// - Parameter position: The time since the start. Times outside the recording mean its start or end.
  /// - Complexity: O(*n*) in the lines up to that time.
  public func seek(to position: Duration) async throws(TestingError) { try await stage.seek(to: position) }

  /// Plays until the end of the recording, another time, or the cancellation of the task.
  ///
  /// - Parameters:
  ///   - speed: The speed; 60 shows an hour in a minute.
  ///   - end: The time since the start at which to stop; nil for the end of the recording.
  public func play(speed: Double = 1, until end: Duration? = nil) async throws(TestingError) {
    try await stage.play(speed: speed, until: end)
  }
}
