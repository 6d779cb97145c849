import ContrailAirportData
import ContrailHTTP
public import Observation

/// The state of loading airports for a view.
///
/// | database contents | property | load can be deferred |
/// |---|---|---|
/// | no airports | `noData` | no |
/// | airports of another data version | `needsLoad` | no |
/// | airports of a cycle that isn't effective | `needsLoad` | yes: ``deferLoad()`` |
/// | airports of the effective cycle | none | |
@MainActor @Observable
public final class AirportLoaderViewModel {
  /// The state of the loader.
  public private(set) var state = AirportLoader.State.idle
  /// Whether there are no airports.
  public private(set) var noData = false
  /// Whether airports must or should be loaded.
  public private(set) var needsLoad = false
  /// Whether the user has deferred the load.
  public private(set) var deferred = false
  /// Whether the load can be deferred.
  public private(set) var canDefer = false
  /// The error of the last load, if it failed.
  public private(set) var error: AirportLoaderError?

  /// Whether to show the loading view.
  public var showLoader: Bool { (noData || needsLoad) && !deferred }

  @ObservationIgnored private let loader: AirportLoader
  @ObservationIgnored private let onEvent: @Sendable (AirportEvent) -> Void
  @ObservationIgnored private var connection: Cancellable?
  /// The cycle whose load can be, or was, deferred.
  @ObservationIgnored private var wanted: AIRACCycle?

  /// Creates a view model. Call ``refresh(at:)`` before showing it.
  ///
  /// - Parameters:
  ///   - loader: The loader.
  ///   - onEvent: A closure that is called when the user defers a load.
  public init(loader: AirportLoader, onEvent: @escaping @Sendable (AirportEvent) -> Void = { _ in }) {
    self.loader = loader
    self.onEvent = onEvent
    connection = loader.states.sinkOnMainThread(buffering: .newest(1)) { [weak self] state in self?.state = state }
  }

  /// Updates the state from the database.
  ///
  /// Call this method at launch and when the application becomes active. ``load(at:)`` calls it too. A pending cycle is
  /// activated if it is effective. A deferred load is offered again when another cycle is effective or when the load
  /// can no longer be deferred.
  ///
  /// - Parameter time: The current time in seconds since 1970; nil for now, by the loader's clock.
  /// - Throws: ``AirportLoaderError/store(_:)``.
  public func refresh(at time: Int64? = nil) async throws(AirportLoaderError) {
    let time = time ?? loader.now()
    let status = try await loader.activatePending(at: time)
    show(AirportLoadNeed(status, at: time), wanted: AIRACCycle(at: time))
  }

  /// Defers the load, if that is allowed.
  ///
  /// - Returns: Whether the load is deferred.
  @discardableResult
  public func deferLoad() -> Bool {
    guard canDefer else { return false }
    deferred = true
    if let wanted { onEvent(.loadDeferred(wanted)) }
    return true
  }

  /// Loads the effective cycle and updates the state. A failure sets ``error``.
  ///
  /// - Parameter time: The current time in seconds since 1970; nil for now, by the loader's clock.
  public func load(at time: Int64? = nil) async {
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
