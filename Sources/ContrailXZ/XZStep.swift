/// What one step of packing or unpacking did.
public struct XZStep: Hashable, Sendable {
  /// How many bytes of the input were taken; the others are to be given again.
  public var consumedBytes: Int
  /// How many bytes of the output were filled.
  public var producedBytes: Int
  /// Whether all is done: the last input has been taken and the last output given.
  public var isAtEnd: Bool
}
