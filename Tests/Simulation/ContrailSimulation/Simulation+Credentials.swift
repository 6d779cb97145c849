import ContrailCore
import ContrailEngine
import ContrailTestSupport

// The application's provider of credentials.

extension Simulation {
  /// The driver calls the provider.
  func callProvider(_ number: Int64, _ driver: Driver) {
    tally.count("provider.called")
    credentialJudge.requested(number, at: trueMS, &judge)
    if sabotage == .providerIsCalledForEachScope { credentialJudge.requested(number + 1, at: trueMS, &judge) }
    guard sabotage != .providerIsNotCalled else { return }
    let fault = providerFaults.isEmpty ? nil : providerFaults.removeFirst()
    if let fault { tally.count("provider.\(fault.rawValue)") }
    guard isLinkUp else { return add(.credential(number, .failed("simulated")), at: trueMS + 4000) }
    func provide(lifeMS: Int64? = nil, after milliseconds: Int64 = 200) {
      let (token, endMS) = server.issue(atMS: trueMS, lifeMS: lifeMS)
      add(.credential(number, .provided(ProvidedCredential(token, expiresAtMS: endMS))), at: trueMS + milliseconds)
    }
    switch fault {
    case nil: provide()
    case .hangs, .hangsUntilCancelled: hangingCalls[number] = fault
    case .late: provide(after: 41_000)
    case .fails: add(.credential(number, .failed("simulated")), at: trueMS + 200)
    case .repeatsToken:
      let token = keyInUse ?? "no-token" + SimulatedIssuer.mark
      add(.credential(number, .provided(ProvidedCredential(token))), at: trueMS + 200)
    case .expired: provide(lifeMS: -60_000)
    case .shortLived: provide(lifeMS: 20_000)
    case .invalid: add(.credential(number, .provided(ProvidedCredential("a\nb"))), at: trueMS + 200)
    }
  }

  /// The driver gives a call up.
  func cancelCall(_ number: Int64) {
    credentialJudge.cancelled(number, at: trueMS, &judge)
    if hangingCalls[number] == .hangsUntilCancelled {
      hangingCalls[number] = nil
      add(.credential(number, .failed("cancelled")), at: trueMS + 5)
    }
  }

  /// All is well again: the calls that hang return.
  func endHangingCalls() {
    for number in hangingCalls.keys.sorted() { add(.credential(number, .failed("simulated")), at: trueMS) }
    hangingCalls = [:]
  }

  /// A call of the provider returns.
  func returnCredential(_ number: Int64, _ answer: CredentialAnswer) {
    // A client that closes neither uses nor tells it.
    guard !driver.isClosing else { return feed(.credential(number, answer)) }
    var isToken = false
    if case .provided(let credential) = answer {
      // The token that the server refused is no answer, and neither is one that can't be sent.
      let isRefused = driver.state.outbox.isBlocked || driver.state.scopes.contains { $0.block == .unauthorized }
      isToken = !(credential.secret == keyInUse && isRefused) && !credential.secret.contains("\n")
    }
    credentialJudge.returned(number, isToken: isToken, at: trueMS)
    feed(.credential(number, answer))
    if ending == nil, !isToken { credentialJudge.handledFailure(&judge) }
  }

  /// Other credentials are in use.
  func useCredentials(_ credentials: Credentials) {
    keyInUse = credentials.apiKey
    credentialJudge.used()
    if sabotage == .tokenIsWritten, let token = keyInUse { disk.put(Array(token.utf8), "/token") }
  }

  /// A key that the server takes, as the application may set one itself.
  func goodKey() -> String { server.issuer == nil ? server.key : server.issue(atMS: trueMS, lifeMS: nil).token }
}
