/// The result of one step of compression or decompression.
public struct XZStep: Hashable, Sendable {
  /// The number of input bytes consumed. Pass the others again.
  public var consumedBytes: Int
  /// The number of output bytes written.
  public var producedBytes: Int
  /// Whether the operation is complete: all input is consumed and all output is written.
  public var isAtEnd: Bool
}
