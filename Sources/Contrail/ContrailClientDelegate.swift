public import ContrailCore
public import ContrailGeodesy
import ContrailWire

/// Is told what a client does, on the main actor, in order. Every method may be left out.
@MainActor
public protocol ContrailClientDelegate: AnyObject, Sendable {
  /// The disk is open: what the last launch left can be asked for.
  func didOpen()
  /// An answer has brought turbulence reports of an area, or confirmed those that are held.
  func didReceiveNewTurbulenceData(areaType: AreaType)
  /// An answer has brought PIREPs of an area, or confirmed those that are held.
  func didReceiveNewPireps(areaType: AreaType)
  /// An answer has brought the other aircraft of an area.
  func didReceiveNewTraffic(areaType: AreaType)
  /// An answer has brought areas of turbulence.
  func didReceiveNewTurbulencePolygons()
  /// Another part is wanted of what a scope holds: draw it anew; nothing new has come.
  func didFilterData(of scope: ScopeID)
  /// An answer has brought the weather of a place, or confirmed it; or it has expired, and nothing newer could be had.
  func didUpdateWeather(at place: RoundedCoordinate)
  /// Something went wrong.
  ///
  /// - Parameter type: The scope that it is about; nil where it is about all.
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?)
  /// Reports of the aircraft's own were tracked or confirmed; so many are yet to be confirmed.
  func didUpdateOutbox(pendingReports: Int)
  /// Another cycle of airports is in use.
  func didChangeAirports()
  /// The database was made anew from the log.
  func didRebuildStore(_ rebuild: StoreRebuild)
  /// The database of airports was made anew from the files that the log keeps.
  func didRebuildAirports(_ rebuild: StoreRebuild)
}

extension ContrailClientDelegate {
  public func didOpen() {}
  public func didReceiveNewTurbulenceData(areaType: AreaType) {}
  public func didReceiveNewPireps(areaType: AreaType) {}
  public func didReceiveNewTraffic(areaType: AreaType) {}
  public func didReceiveNewTurbulencePolygons() {}
  public func didFilterData(of scope: ScopeID) {}
  public func didUpdateWeather(at place: RoundedCoordinate) {}
  public func didFailToFetchNewData(with error: ClientError, type: ScopeID?) {}
  public func didUpdateOutbox(pendingReports: Int) {}
  public func didChangeAirports() {}
  public func didRebuildStore(_ rebuild: StoreRebuild) {}
  public func didRebuildAirports(_ rebuild: StoreRebuild) {}
}

/// The areas whose records are fetched.
public enum AreaType: String, Sendable, Hashable, CaseIterable {
  /// The area round the route: the query's polygon, or its route and width.
  case polygon
  /// The visible area of the map.
  case viewport
}

/// Carries what happens to the main actor, in order.
final class DelegateCaller: Sendable {
  private struct Target {
    weak var delegate: (any ContrailClientDelegate)?
  }

  private let target = Locked(Target())
  private let continuation: AsyncStream<@MainActor @Sendable (any ContrailClientDelegate) -> Void>.Continuation

  init() {
    let (calls, continuation) = AsyncStream.makeStream(
      of: (@MainActor @Sendable (any ContrailClientDelegate) -> Void).self)
    self.continuation = continuation
    let target = target
    Task { @MainActor in
      for await call in calls {
        if let delegate = target.withLock({ $0.delegate }) { call(delegate) }
      }
    }
  }

  deinit { continuation.finish() }

  var delegate: (any ContrailClientDelegate)? {
    get { target.withLock { $0.delegate } }
    set { target.withLock { $0.delegate = newValue } }
  }

  func tell(_ update: ClientUpdate, _ state: State?) {
    guard delegate != nil else { return }
    switch update {
    case .opened: continuation.yield { $0.didOpen() }
    case .failed(let error): continuation.yield { $0.didFailToFetchNewData(with: error, type: error.scope) }
    case .filtered(let scope): continuation.yield { $0.didFilterData(of: scope) }
    case .rebuilt(let rebuild): continuation.yield { $0.didRebuildStore(rebuild) }
    case .airportsRebuilt(let rebuild): continuation.yield { $0.didRebuildAirports(rebuild) }
    case .data(.corridor): tell(of: .polygon, state?.scope(.corridor))
    case .data(.viewport): tell(of: .viewport, state?.scope(.viewport))
    case .data(.global): continuation.yield { $0.didReceiveNewTurbulencePolygons() }
    case .data(.weather(let place)): continuation.yield { $0.didUpdateWeather(at: place) }
    case .data(.airports): continuation.yield { $0.didChangeAirports() }
    case .data(.outbox):
      let count = state?.outbox.reports.count ?? 0
      continuation.yield { $0.didUpdateOutbox(pendingReports: count) }
    }
  }

  private func tell(of area: AreaType, _ scope: Scope?) {
    guard let types = scope?.have?.spec.types else { return }
    if types.contains(.turbulence) { continuation.yield { $0.didReceiveNewTurbulenceData(areaType: area) } }
    if types.contains(.pireps) { continuation.yield { $0.didReceiveNewPireps(areaType: area) } }
    if types.contains(.traffic) { continuation.yield { $0.didReceiveNewTraffic(areaType: area) } }
  }
}
