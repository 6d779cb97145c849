package import ContrailWire

/// What an application sets and a log contains: its settings, and what its link costs.
package struct Settings: Sendable, Equatable {
  package var query: ResolvedQuery
  package var history: DataHistoryTime
  package var frequency: DataUpdateFrequency
  package var listening: ListeningSettings
  package var budget: ByteBudget
  package var link: LinkCost

  /// Creates the settings in a state.
  package init(_ state: State) {
    query = state.query
    history = state.history
    frequency = state.frequency
    listening = state.listening.settings
    budget = state.byteUse.budget
    link = state.byteUse.link
  }

  /// The settings after the start of a session, which has no viewport, and a link that costs little.
  package var atLaunch: Settings {
    var settings = self
    settings.query.viewport = nil
    settings.link = LinkCost()
    return settings
  }

  /// Applies an input; returns whether it is a setting.
  package mutating func apply(_ input: Input) -> Bool {
    switch input {
    case .queryChanged(let query): self.query = query
    case .historyChanged(let history): self.history = history
    case .frequencyChanged(let frequency): self.frequency = frequency
    case .listeningChanged(let settings): listening = settings
    case .budgetChanged(let budget): self.budget = budget
    case .linkChanged(let link): self.link = link
    default: return false
    }
    return true
  }

  /// Returns the inputs that change other settings to these, in an order in which hardly anything is requested that a later
  /// one doesn't want.
  ///
  /// The query comes last, so that what it begins to request is what the other settings want. But if the viewport moves, a setting that
  /// may begin a request comes after it: a request for where the viewport was isn't cancelled while the map is moved.
  package func inputs(from held: Settings) -> [Input] {
    var (first, last): ([Input], [Input]) = ([], [])
    let isMoved = held.query.viewport != nil && query.viewport != held.query.viewport
    func add(_ input: Input, mayRequest: Bool) {
      if isMoved, mayRequest { last.append(input) } else { first.append(input) }
    }
    // A request may be due, and any input begins it.
    if history < held.history { first.append(.historyChanged(history)) }
    if link != held.link { first.append(.linkChanged(link)) }
    let allowsMore = budget.allowsMore(than: held.budget)
    if budget != held.budget, !allowsMore { add(.budgetChanged(budget), mayRequest: false) }
    if history > held.history { add(.historyChanged(history), mayRequest: true) }
    // A request that is held for news at other times is replaced.
    if frequency != held.frequency { add(.frequencyChanged(frequency), mayRequest: true) }
    if listening != held.listening { add(.listeningChanged(listening), mayRequest: true) }
    if allowsMore { add(.budgetChanged(budget), mayRequest: true) }
    if query != held.query { first.append(.queryChanged(query)) }
    return first + last
  }
}

extension ByteBudget {
  /// Whether this budget may allow requests that another one doesn't.
  fileprivate func allowsMore(than other: ByteBudget) -> Bool {
    bytes ?? .max > other.bytes ?? .max || period != other.period
      || !savesOnExpensiveLink && other.savesOnExpensiveLink
      || !savesOnConstrainedLink && other.savesOnConstrainedLink
  }
}
