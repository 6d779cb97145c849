import ContrailAirportData
import ContrailDeferred
public import Observation

/// What a screen needs to know of the loading of airports: whether to show it, whether it can be put off, and how far it is.
///
/// | held | needs | can be put off |
/// |---|---|---|
/// | no airports | `noData` | no |
/// | airports of another version's form | `needsLoad` | no |
/// | airports of a cycle that isn't effective | `needsLoad` | yes: ``deferLoad()`` |
/// | airports of the effective cycle | nothing | |
@MainActor @Observable
public final class AirportLoaderViewModel {
  /// What the loader is doing.
  public private(set) var state = AirportLoader.State.idle
  /// Whether there are no airports.
  public private(set) var noData = false
  /// Whether airports must or should be loaded.
  public private(set) var needsLoad = false
  /// Whether the user has put the load off.
  public private(set) var deferred = false
  /// Whether the load may be put off.
  public private(set) var canDefer = false
  /// Why the last load failed, if it did.
  public private(set) var error: AirportLoaderError?

  /// Whether to show the loader.
  public var showLoader: Bool { (noData || needsLoad) && !deferred }

  @ObservationIgnored private let loader: AirportLoader
  @ObservationIgnored private let onEvent: @Sendable (AirportEvent) -> Void
  @ObservationIgnored private var connection: Cancellable?
  /// The cycle whose load may be, or was, put off.
  @ObservationIgnored private var wanted: AIRACCycle?

  /// Makes a view model, which knows nothing before its first ``refresh(at:)``.
  ///
  /// - Parameters:
  ///   - loader: What loads.
  ///   - onEvent: Is told of deferrals.
  public init(loader: AirportLoader, onEvent: @escaping @Sendable (AirportEvent) -> Void = { _ in }) {
    self.loader = loader
    self.onEvent = onEvent
    connection = loader.states.sinkOnMainThread(buffering: .newest(1)) { [weak self] state in self?.state = state }
  }

  /// Looks what is held and what is needed at a moment: at launch, when the application comes to the front, after a load.
  ///
  /// A cycle that waits is put in use if it has begun. A load that was put off is asked for again when another cycle has begun, or when
  /// it has become one that can't be put off.
  ///
  /// - Parameter time: In seconds since 1970.
  /// - Throws: ``AirportLoaderError/store(_:)``.
  public func refresh(at time: Int64) async throws(AirportLoaderError) {
    let status = try await loader.activatePending(at: time)
    show(AirportLoadNeed(status, at: time), wanted: AIRACCycle(at: time))
  }

  /// Puts the load off, if that is allowed.
  ///
  /// - Returns: Whether it is put off.
  @discardableResult
  public func deferLoad() -> Bool {
    guard canDefer else { return false }
    deferred = true
    if let wanted { onEvent(.loadDeferred(wanted)) }
    return true
  }

  /// Loads, and looks again. What goes wrong is in ``error``.
  ///
  /// - Parameter time: In seconds since 1970.
  public func load(at time: Int64) async {
    error = nil
    do throws(AirportLoaderError) {
      try await loader.load(at: time)
    } catch {
      self.error = error
    }
    do throws(AirportLoaderError) {
      try await refresh(at: time)
    } catch {
      self.error = error
    }
  }

  func show(_ need: AirportLoadNeed, wanted: AIRACCycle?) {
    noData = need == .noData
    needsLoad = need != .none
    canDefer = need == .cycleExpired
    if !canDefer || wanted != self.wanted { deferred = false }
    self.wanted = wanted
  }
}
