public import ContrailCore
public import ContrailEngine
public import ContrailGeodesy
import ContrailWire

/// Is told what a client does, on the main actor, in order. Every method may be left out.
@MainActor
public protocol ContrailClientDelegate: AnyObject, Sendable {
  /// The log is open: what the last launch left can be read.
  func didOpen()
  /// A scope holds data from the last launch.
  func didRestoreData(of scope: ScopeID)
  /// An answer has brought turbulence reports of an area that weren't held.
  func didReceiveNewTurbulenceData(areaType: AreaType)
  /// The same for a delegate that doesn't tell areas apart. Called unless ``didReceiveNewTurbulenceData(areaType:)`` is there.
  func didReceiveNewTurbulenceData()
  /// An answer has brought PIREPs of an area that weren't held.
  func didReceiveNewPireps(areaType: AreaType)
  /// An answer has brought other positions of aircraft in an area.
  func didReceiveNewTraffic(areaType: AreaType)
  /// An answer has brought other areas of turbulence.
  func didReceiveNewTurbulencePolygons()
  /// An answer has confirmed what a scope holds: nothing is new.
  func didConfirmData(of scope: ScopeID)
  /// Another part of what a scope holds is wanted: draw it again; nothing has been fetched.
  func didFilterData(of scope: ScopeID)
  /// Something of a scope has become too old to be shown: draw it again.
  func didExpireData(of scope: ScopeID)
  /// An answer has brought the weather of a place, or confirmed it; or it has expired, and nothing newer could be had.
  func didUpdateWeather(at place: RoundedCoordinate)
  /// Data can't be fetched, or the log can't be written. Called once for each outage.
  ///
  /// - Parameter type: The scope that it is about; nil where it is about all.
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?)
  /// The same for a delegate that takes any error. Called unless ``didFailToFetchNewData(with:type:)-(ClientError,_)`` is there.
  func didFailToFetchNewData(with error: any Error, type: ScopeID?)
  /// An outage that was told is over.
  ///
  /// - Parameter type: The scope that it is about; nil: the log can be written again.
  func didRecover(type: ScopeID?)
  /// How a scope is kept up to date has changed.
  func didChangeStatus(_ status: ScopeStatus)
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
  public func didRestoreData(of scope: ScopeID) {}
  public func didConfirmData(of scope: ScopeID) {}
  public func didExpireData(of scope: ScopeID) {}
  public func didRecover(type: ScopeID?) {}
  public func didChangeStatus(_ status: ScopeStatus) {}
  public func didReceiveNewTurbulenceData(areaType: AreaType) { didReceiveNewTurbulenceData() }
  public func didReceiveNewTurbulenceData() {}
  public func didReceiveNewPireps(areaType: AreaType) {}
  public func didReceiveNewTraffic(areaType: AreaType) {}
  public func didReceiveNewTurbulencePolygons() {}
  public func didFilterData(of scope: ScopeID) {}
  public func didUpdateWeather(at place: RoundedCoordinate) {}
  public func didFailToFetchNewData(with error: ClientError, type: ScopeID?) {
    didFailToFetchNewData(with: error as any Error, type: type)
  }
  public func didFailToFetchNewData(with error: any Error, type: ScopeID?) {}
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

  func tell(_ updates: [ClientUpdate], _ newTypes: [ScopeID: DataTypeOptions], _ shown: Shown) {
    guard delegate != nil else { return }
    for update in updates { tell(update, newTypes, shown) }
  }

  private func tell(_ update: ClientUpdate, _ newTypes: [ScopeID: DataTypeOptions], _ shown: Shown) {
    switch update {
    case .opened: continuation.yield { $0.didOpen() }
    case .stored(let scope): continuation.yield { $0.didRestoreData(of: scope) }
    case .confirmed(let scope): continuation.yield { $0.didConfirmData(of: scope) }
    case .failed(let error): continuation.yield { $0.didFailToFetchNewData(with: error, type: error.scope) }
    case .recovered(let scope): continuation.yield { $0.didRecover(type: scope) }
    case .filtered(let scope): continuation.yield { $0.didFilterData(of: scope) }
    case .expired(.weather(let place)): continuation.yield { $0.didUpdateWeather(at: place) }
    case .expired(let scope): continuation.yield { $0.didExpireData(of: scope) }
    case .status(let scope):
      let status = shown.status(of: scope)
      continuation.yield { $0.didChangeStatus(status) }
    case .rebuilt(let rebuild): continuation.yield { $0.didRebuildStore(rebuild) }
    case .airportsRebuilt(let rebuild): continuation.yield { $0.didRebuildAirports(rebuild) }
    case .data(.corridor): tell(of: .polygon, newTypes[.corridor] ?? [])
    case .data(.viewport): tell(of: .viewport, newTypes[.viewport] ?? [])
    case .data(.global): continuation.yield { $0.didReceiveNewTurbulencePolygons() }
    case .data(.weather(let place)): continuation.yield { $0.didUpdateWeather(at: place) }
    case .data(.airports): continuation.yield { $0.didChangeAirports() }
    case .data(.outbox):
      let count = shown.state.outbox.reports.count
      continuation.yield { $0.didUpdateOutbox(pendingReports: count) }
    }
  }

  private func tell(of area: AreaType, _ types: DataTypeOptions) {
    if types.contains(.turbulence) { continuation.yield { $0.didReceiveNewTurbulenceData(areaType: area) } }
    if types.contains(.pireps) { continuation.yield { $0.didReceiveNewPireps(areaType: area) } }
    if types.contains(.traffic) { continuation.yield { $0.didReceiveNewTraffic(areaType: area) } }
  }
}
