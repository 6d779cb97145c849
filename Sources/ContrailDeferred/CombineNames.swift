#if canImport(Combine)
  public import Combine

  /// Combine's `Future`, beside which stands ours.
  public typealias CombineFuture = Combine.Future
  /// Combine's `Cancellable`, beside which stands ours.
  public typealias CombineCancellable = Combine.Cancellable
#elseif canImport(OpenCombine)
  public import OpenCombine

  /// OpenCombine's `Future`, beside which stands ours.
  public typealias CombineFuture = OpenCombine.Future
  /// OpenCombine's `Cancellable`, beside which stands ours.
  public typealias CombineCancellable = OpenCombine.Cancellable
#endif
