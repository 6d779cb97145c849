import ContrailCore

// The application's provider of credentials.

extension Driver {
  /// Why a key is needed now; nil if none is.
  private var credentialNeed: CredentialNeed? {
    guard let keeper = credentialKeeper else { return nil }
    if credentials.apiKey == nil { return .missing }
    // What the last process was refused says nothing before the launch.
    guard publisher.shown.isOpen else { return nil }
    if isKeyRefused { return .refused }
    return keeper.isExpiring(at: time.now) ? .expiring : nil
  }

  /// Whether the server refused the key, so that requests wait for another.
  private var isKeyRefused: Bool {
    // A weather service of its own has a token of its own.
    let hasWeatherToken = configuration.weatherHost != nil
    return credentialKeeper?.isRefusedElsewhere == true || state.outbox.isBlocked
      || state.scopes.contains { $0.block == .unauthorized && !(hasWeatherToken && $0.id.weatherPlace != nil) }
  }

  /// Whether the link isn't used yet, nor time handled, because the provider's first answer is still to come.
  var awaitsCredential: Bool { mayUseLink && credentialKeeper?.isAwaited(credentialNeed, at: time.now) ?? false }

  /// Whether the provider may be called.
  private var mayRequestCredential: Bool {
    phase == .open && launching.isQueued && mayUseLink && !isInBackground && !queue.changesKey
  }

  /// The time at which ``proceedCredentials()`` is due, by the device's clock; nil for never.
  var credentialTime: Int64? {
    guard let keeper = credentialKeeper, keeper.isCalling || mayRequestCredential else { return nil }
    return keeper.wakesAt(credentialNeed)
  }

  /// Calls the provider if a key is needed, and uses the link once there is one.
  mutating func proceedCredentials() {
    guard phase == .open, credentialKeeper != nil else { return }
    if let late = credentialKeeper?.giveUp(at: time.now) {
      actions.append(.cancelCredential(late))
      tell(
        credentialFailure:
          "The provider of credentials didn't answer within \(CredentialKeeper.timeoutMS / 1000) s")
    }
    if mayRequestCredential {
      let need = credentialNeed
      if let number = credentialKeeper?.begin(need, at: time.now), let need {
        actions.append(.requestCredential(number, need))
      }
    }
    guard publisher.shown.isOpen, mayUseLink, !state.isOnline, !awaitsCredential, !queue.opensLink else { return }
    queue.add(.turn(AppTurn(isOnline: true)))
  }

  /// Takes the result of a call of the provider.
  mutating func take(_ answer: CredentialAnswer, of number: Int64) {
    let isRefused = isKeyRefused
    guard phase == .open,
      let result = credentialKeeper?.take(answer, of: number, using: credentials.apiKey, isRefused: isRefused, at: time)
    else { return }
    switch result {
    case .failed(let reason): return tell(credentialFailure: reason)
    case .new(let secret):
      queue.add(
        .turn(
          AppTurn(
            credentials: CredentialsChange(apiKey: .some(secret)), isOnline: mayUseLink && !state.isOnline ? true : nil)
        ))
    case .kept: break
    }
    if publisher.tellCredential() { publish() }
  }

  private mutating func tell(credentialFailure reason: String) {
    if publisher.tell(credentialFailure: .credentials(reason)) { publish() }
  }

  /// Uses changed credentials, after the log holds the change.
  mutating func use(_ change: CredentialsChange) {
    credentials = credentials.changed(by: change)
    if change.apiKey != nil { credentialKeeper?.use(credentials.apiKey, at: time.now) }
    actions.append(.useCredentials(credentials))
  }
}
