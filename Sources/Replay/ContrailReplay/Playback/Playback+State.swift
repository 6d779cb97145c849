package import ContrailCore

extension Playback {
  /// Returns the state and the visible data after a line.
  ///
  /// - Parameters:
  ///   - line: The line; -1 for the time before the first line.
  ///   - at: A time from the line's to that of the next one, in milliseconds of the log's clock: data ages in between.
  package func view(after line: Int, at: Int64? = nil) -> StateView { state(after: line).view(at: at) }

  /// Returns the polygons or the weather that a scope holds after a line, as JSON; empty if it holds none.
  package func document(of scope: Int, after line: Int) -> [UInt8] { state(after: line).document(ofScope: scope) }
}
