/// The result of a call of a codec.
enum CodecStep {
  /// More input or more output space is needed.
  case going
  /// No progress is possible with the given buffers.
  case starved
  /// The stream is complete.
  case ended
}
