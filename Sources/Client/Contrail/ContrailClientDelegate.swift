public import ContrailCore
public import ContrailEngine
public import ContrailGeodesy
import ContrailHTTP
public import ContrailQuery
public import ContrailWire

/// Methods that a client calls on the main actor, in order. All are optional.
@MainActor
public protocol ContrailClientDelegate: AnyObject, Sendable {
  /// The log is open, and the data of the last launch are available.
  func didOpen()
  /// A scope has data from the last launch.
  func didRestoreData(of scope: ScopeID)
  /// A response contained new turbulence reports of an area.
  func didReceiveNewTurbulenceData(areaType: AreaType)
  /// A response contained new turbulence reports. Not called if ``didReceiveNewTurbulenceData(areaType:)`` is implemented.
  func didReceiveNewTurbulenceData()
  /// A response contained new PIREPs of an area.
  func didReceiveNewPireps(areaType: AreaType)
  /// A response contained new positions of aircraft in an area.
  func didReceiveNewTraffic(areaType: AreaType)
  /// A response contained new turbulence polygons of a history time. With
  /// ``DataQuery/globalTurbulencePolygonsUpToEnabled``, each history time has its own.
  func didReceiveNewTurbulencePolygons(history: DataHistoryTime)
  /// A response contained new turbulence polygons. Not called if ``didReceiveNewTurbulencePolygons(history:)`` is implemented.
  func didReceiveNewTurbulencePolygons()
  /// A response confirmed the data of a scope: nothing is new.
  func didConfirmData(of scope: ScopeID)
  /// A change of the query shows another part of the stored data: redraw it. Nothing was fetched.
  func didFilterData(of scope: ScopeID)
  /// Data of a scope have expired and are no longer shown: redraw it.
  func didExpireData(of scope: ScopeID)
  /// The weather of a place was received or confirmed, or it has expired and no newer one could be received.
  func didUpdateWeather(at place: RoundedCoordinate)
  /// Data can't be fetched, or the log can't be written. Called once for each outage.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - type: The scope; nil if the error affects all.
  func didFailToFetchNewData(with error: ClientError, type: ScopeID?)
  /// Data can't be fetched, or the log can't be written. Not called if ``didFailToFetchNewData(with:type:)-(ClientError,_)`` is implemented.
  func didFailToFetchNewData(with error: any Error, type: ScopeID?)
  /// A reported outage has ended.
  ///
  /// - Parameter type: The scope; nil if the log can be written again.
  func didRecover(type: ScopeID?)
  /// The status of a scope has changed.
  func didChangeStatus(_ status: ScopeStatus)
  /// Ownship reports were stored or confirmed.
  ///
  /// - Parameter pendingReports: The number of reports that the server hasn't confirmed yet.
  func didUpdateOutbox(pendingReports: Int)
  /// A monitor has found turbulence ahead, or it is ahead again; see ``TurbulenceMonitor/Event/began(_:)``.
  func didBeginTurbulence(_ alert: TurbulenceAlert)
  /// The reports, altitudes or severity of turbulence ahead have changed.
  func didChangeTurbulence(_ alert: TurbulenceAlert)
  /// Turbulence is no longer ahead.
  func didEndTurbulence(_ alert: TurbulenceAlert)
  /// Another cycle of airports is now in use.
  func didChangeAirports()
  /// Another part of the data is dropped to save bytes, or nothing any more.
  func didChangeSaving(_ saving: DataSaving)
  /// The database was rebuilt from the log.
  func didRebuildStore(_ rebuild: StoreRebuild)
  /// The database of airports was rebuilt from the files in the log.
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
  public func didReceiveNewTurbulencePolygons(history: DataHistoryTime) { didReceiveNewTurbulencePolygons() }
  public func didReceiveNewTurbulencePolygons() {}
  public func didFilterData(of scope: ScopeID) {}
  public func didUpdateWeather(at place: RoundedCoordinate) {}
  public func didFailToFetchNewData(with error: ClientError, type: ScopeID?) {
    didFailToFetchNewData(with: error as any Error, type: type)
  }
  public func didFailToFetchNewData(with error: any Error, type: ScopeID?) {}
  public func didUpdateOutbox(pendingReports: Int) {}
  public func didBeginTurbulence(_ alert: TurbulenceAlert) {}
  public func didChangeTurbulence(_ alert: TurbulenceAlert) {}
  public func didEndTurbulence(_ alert: TurbulenceAlert) {}
  public func didChangeAirports() {}
  public func didChangeSaving(_ saving: DataSaving) {}
  public func didRebuildStore(_ rebuild: StoreRebuild) {}
  public func didRebuildAirports(_ rebuild: StoreRebuild) {}
}

/// The areas for which records are fetched.
public enum AreaType: String, Sendable, Hashable, CaseIterable {
  /// The area around the route: the polygon of the query, or its route and width.
  case polygon
  /// The visible area of the map.
  case viewport
}

/// Calls the delegate on the main actor, in order.
final class DelegateCaller: Sendable {
  private struct Target {
    weak var delegate: (any ContrailClientDelegate)?
  }

  private let target = Lock(Target())
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

  func tell(_ event: TurbulenceMonitor.Event) {
    guard delegate != nil else { return }
    continuation.yield { delegate in
      switch event {
      case .began(let alert): delegate.didBeginTurbulence(alert)
      case .changed(let alert): delegate.didChangeTurbulence(alert)
      case .ended(let alert): delegate.didEndTurbulence(alert)
      }
    }
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
    case .saving(let saving): continuation.yield { $0.didChangeSaving(saving) }
    case .rebuilt(let rebuild): continuation.yield { $0.didRebuildStore(rebuild) }
    case .airportsRebuilt(let rebuild): continuation.yield { $0.didRebuildAirports(rebuild) }
    case .data(.corridor): tell(of: .polygon, newTypes[.corridor] ?? [])
    case .data(.viewport): tell(of: .viewport, newTypes[.viewport] ?? [])
    case .data(.global(let history)): continuation.yield { $0.didReceiveNewTurbulencePolygons(history: history) }
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
