/// The result of one step of compression or decompression.
package struct XZStep: Hashable, Sendable {
  /// The number of input bytes consumed. Pass the others again.
  package var consumedBytes: Int
  /// The number of output bytes written.
  package var producedBytes: Int
  /// Whether the operation is complete: all input is consumed and all output is written.
  package var isAtEnd: Bool
}
