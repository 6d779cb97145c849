import Contrail
import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailQuery
import ContrailSimulation
import ContrailTesting
import ContrailWire
import Foundation

// What is shown, beside the model.

extension AppFlight {
  func compareData() {
    let (model, world, ahead, slackMS) = network.with { ($0.model, $0.server.world, $0.serverAheadMS, $0.slackMS) }
    let (second, slack) = ((clock.now + ahead) / 1000, slackMS / 1000 + 1)
    for scope in [ScopeID.corridor, .viewport] {
      let held = client.data(of: scope)
      if let text = difference(held, model, second, slack, world) { find(text) }
      compareAge(held, model, second, slack)
    }
    var times: Set<DataHistoryTime> = []
    for history in DataHistoryTime.allCases {
      let scope = ScopeID.global(history)
      let held = client.data(of: scope)
      if held.polygons != nil { times.insert(history) }
      if let text = difference(held, model, second, slack, world) { find("\(scope.name): \(text)") }
    }
    if Set(client.turbulencePolygonTimes) != times { find("other times of polygons are listed than are shown") }
    for case .weather(let place) in AppModel.scopes { compareWeather(place, model) }
  }

  /// Compares the records of an area; nil if they are as the model says.
  func difference(
    _ held: HeldData, _ model: AppModel, _ second: Int64, _ slack: Int64, _ world: SimulatedWorld
  ) -> String? {
    let scope = held.scope
    if case .global(let history) = scope {
      let due = model.polygons(history, at: second, slack: slack, world)
      guard let shown = held.polygons else { return due.map { !$0.mayBeGone } ?? false ? "no polygons are shown" : nil }
      return due.map { $0.answer.json != Array(shown.utf8) } ?? true ? "other polygons are shown" : nil
    }
    let reports = model.reports(scope, at: second, slack: slack, world)
    if !reports.allows(held.turbulence) {
      let shown = Set(held.turbulence)
      return "\(scope.name) shows \(shown.count) reports: \(reports.least.subtracting(shown).count) are missing, "
        + "\(shown.subtracting(reports.most).count) are too many"
    }
    if held.turbulence.count != Set(held.turbulence).count { return "\(scope.name) shows a report twice" }
    if zip(held.turbulence, held.turbulence.dropFirst()).contains(where: { $0.observedAt > $1.observedAt }) {
      return "\(scope.name) doesn't show the oldest report first"
    }
    if !model.pireps(scope, at: second, slack: slack, world).allows(held.pireps) {
      return "\(scope.name) shows other PIREPs"
    }
    let traffic = model.traffic(scope, at: second, slack: slack, world)
    // While bytes are saved, traffic may be dropped.
    let isSaving = client.byteStatus.saving >= .noTraffic
    if isSaving ? !Set(held.traffic).isSubset(of: traffic.most) : !traffic.allows(held.traffic) {
      return "\(scope.name) shows other traffic"
    }
    return nil
  }

  private func compareAge(_ held: HeldData, _ model: AppModel, _ second: Int64, _ slack: Int64) {
    let scope = held.scope
    guard model.wishes.wants[scope] != nil else { return }
    let answer = model.answers[scope]
    if held.asOf == nil, client.lastUpdateTime(of: scope) == nil, model.maybeDropped.contains(scope) { return }
    if held.asOf != answer.map({ Date(timeIntervalSince1970: Double($0.second)) }) {
      find("\(scope.name) is of \(held.asOf.map { "\($0)" } ?? "never"), not of \(answer?.second ?? 0)")
    }
    if let answer, let age = held.age?.components.seconds {
      if !(second - slack...second).contains(answer.second + age) { find("\(scope.name) says that it is \(age) s old") }
    }
    let last = answer.map { Date(timeIntervalSince1970: Double($0.receivedMS) / 1000) }
    if let last, let told = client.lastUpdateTime(of: scope), abs(told.timeIntervalSince(last)) > 0.001 {
      find("\(scope.name) was updated last at \(told), not \(last)")
    } else if (last == nil) != (client.lastUpdateTime(of: scope) == nil) {
      find("\(scope.name): the time of the last update is missing or too many")
    }
  }

  private func compareWeather(_ place: RoundedCoordinate, _ model: AppModel) {
    let scope = ScopeID.weather(place)
    let answer = model.wishes.wants[scope] == nil ? nil : model.answers[scope]
    do {
      let held = try client.weather(at: place)
      if held == nil, model.maybeDropped.contains(scope) { return }
      if (held == nil) != (answer == nil) { find("\(scope.name): weather is \(held == nil ? "missing" : "too many")") }
      guard let held, let answer else { return }
      let age = clock.now - answer.receivedMS
      if held.isExpired != (age >= 300_000) { find("\(scope.name): after \(age) ms, expired is \(held.isExpired)") }
      if held.age != .milliseconds(age) { find("\(scope.name): its age is \(held.age), not \(age) ms") }
    } catch {
      // The server's weather is a stub of a response.
      if answer == nil { find("\(scope.name): \(error)") }
    }
  }

  // MARK: Status

  func compareStatus() {
    let now = clock.now
    let (model, fetching) = network.with { state in
      state.model.roll(at: now)
      return (state.model, state.fetching)
    }
    let saving = client.byteStatus.saving
    if saving < model.leastSaving || model.byteBudget.bytes == nil && saving > model.leastSaving {
      find("what is saved is \(saving), not \(model.leastSaving)")
    }
    var bytes: Int64 = 0
    for scope in AppModel.scopes + [.outbox] {
      let status = client.status(of: scope)
      bytes += status.sessionBytes + model.forgottenBytes(of: scope, showing: status.sessionBytes)
      guard scope != .outbox else { continue }
      let outcome = model.outcomes[scope] ?? AppModel.Outcome.none
      let isWanted = model.wishes.wants[scope] != nil
      var phases: Set<ScopeStatus.Phase>
      if !isWanted {
        phases = [.unwanted]
      } else if fetching.contains(scope) {
        phases = [.fetching]
      } else if !model.mayUseLink {
        phases = [.offline]
      } else {
        switch outcome {
        case .none: phases = [.waiting, .current]
        case .success: phases = [.current]
        case .failure:
          phases = [.waiting]
          // Updates may have become so rare since the failure that the data is recent enough, or the map is being moved.
          if model.isRecent(scope, at: now, saving: saving) || model.mayMove(scope, at: now) { phases.insert(.current) }
        case .refusal: phases = [.blocked]
        }
        if saving != .off { phases.insert(.saving) }
        // What is due stays so until the application is in the foreground.
        if model.isInBackground { phases = Set(ScopeStatus.Phase.allCases).subtracting([.unwanted, .offline]) }
      }
      if !phases.contains(status.phase) {
        find(
          "\(scope.name) is \(status.phase.rawValue), not \(phases.map(\.rawValue).sorted().joined(separator: " or "))")
      }
      guard isWanted else { continue }
      switch outcome {
      case .none: break
      case .success:
        if let error = status.lastError { find("\(scope.name) still shows an error: \(error)") }
        if status.failures != 0 { find("\(scope.name) shows \(status.failures) failures after a success") }
      case .failure(let codes), .refusal(let codes, _):
        if !codes.isEmpty, !(status.lastError.map { codes.contains($0.code) } ?? false) {
          find(
            "\(scope.name): its last error is \(status.lastError?.code.rawValue ?? "none"), not \(codes.map(\.rawValue))"
          )
        }
      }
    }
    if bytes != model.sessionBytes { find("\(bytes) bytes came since the launch, not \(model.sessionBytes)") }
    let used = client.byteStatus.used
    if !(model.usedBytes.least...model.usedBytes.most).contains(used) {
      find("\(used) bytes are used, not \(model.usedBytes.least) to \(model.usedBytes.most)")
    }
    compareOwnReports(model, isSending: fetching.contains(.outbox))
  }

  private func compareOwnReports(_ model: AppModel, isSending: Bool) {
    let shown = client.ownReports
    let own = model.own.filter { own in
      !own.mayBeForgotten(at: second) || shown.contains { own.isMade($0.report) }
    }
    guard shown.count == own.count else {
      return find("\(shown.count) own reports are shown, not \(own.count)")
    }
    for (report, due) in zip(shown, own) {
      if !due.isMade(report.report) {
        find("an own report is of \(report.report.observedAt), not of \(due.seconds)")
      }
      let states: Set<OwnReport.State> = due.state == .waiting ? [.waiting, .sending] : [due.state]
      if !states.contains(report.state) { find("an own report is \(report.state.rawValue), not \(due.state.rawValue)") }
      if report.state == .sending, !isSending { find("an own report is sending, and no request is under way") }
    }
    let pending = own.count { $0.state == .waiting }
    if client.pendingReportCount != pending { find("\(client.pendingReportCount) reports wait, not \(pending)") }
  }

  // MARK: What is told

  /// Compares what observers were told, which comes to some of them a little later.
  func compareTold() async {
    let (model, world, ahead, slackMS) = network.with { ($0.model, $0.server.world, $0.serverAheadMS, $0.slackMS) }
    let (second, slack) = ((clock.now + ahead) / 1000, slackMS / 1000 + 1)
    // Nothing need be told while the process is about to be suspended.
    guard !model.isInBackground else { return }
    defer {
      network.with { ($0.model.due, $0.model.allowed, $0.model.news) = ([:], [:], [:]) }
      observers.forget()
    }
    for newest in observers.newest {
      var text: String?
      let holds = await eventually {
        text = newest.value.map { difference($0, model, second, slack, world) } ?? nil
        return text == nil
      }
      if !holds { find("\(newest.name) was told last: \(text ?? "")") }
    }
    if let text = await observers.liveDifference(client, self) { find(text) }
    guard observers.isTold else { return }
    if observers.tellsNews {
      for scope in AppModel.scopes {
        let due = model.news[scope] ?? []
        let holds = await eventually {
          let told = observers.news(of: scope)
          return told.count == due.count && zip(told, due).allSatisfy { $1 == nil || $0 == $1 }
        }
        if !holds { find("\(scope.name): news \(observers.news(of: scope)) was told, not \(due)") }
      }
    }
    for scope in AppModel.scopes {
      let due = model.due[scope] ?? []
      let holds = await eventually { observers.told(of: scope).count >= due.count }
      let told = observers.told(of: scope)
      if !holds { find("\(scope.name): \(told) was told, not \(due)") }
      var rest = due[...]
      for one in told {
        if let next = rest.first, next.isLike(one) {
          rest = rest.dropFirst()
        } else if case .failed(let codes) = one, codes.isSubset(of: model.allowed[scope] ?? []) {
          continue
        } else if one == .failed([.invalidQuery]) {
          continue
        } else {
          find("\(scope.name): \(told) was told, not \(due)")
        }
      }
    }
  }
}

extension AppModel.Told {
  func isLike(_ other: AppModel.Told) -> Bool {
    switch (self, other) {
    case (.failed(let a), .failed(let b)): !a.isDisjoint(with: b)
    case (.recovered, .recovered): true
    default: false
    }
  }
}
