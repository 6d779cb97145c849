#if canImport(Combine)
  public import Combine

  /// Combine's `Future`, which has the same name as that of this module.
  public typealias CombineFuture = Combine.Future
  /// Combine's `Cancellable`, which has the same name as that of this module.
  public typealias CombineCancellable = Combine.Cancellable
#elseif OpenCombine
  public import OpenCombine

  /// OpenCombine's `Future`, which has the same name as that of this module.
  public typealias CombineFuture = OpenCombine.Future
  /// OpenCombine's `Cancellable`, which has the same name as that of this module.
  public typealias CombineCancellable = OpenCombine.Cancellable
#endif
