import ContrailCore
import ContrailEngine
import ContrailTestSupport
import ContrailWire
import Testing

/// When the driver calls the application's provider of credentials, and what becomes of the answers.
@Suite struct CredentialTests {
  private static func launched(key: String? = nil, weatherHost: String? = nil) -> ManualRig {
    let rig = ManualRig(weatherHost: weatherHost, key: key, providesCredentials: true)
    rig.feed(.launched)
    rig.open()
    rig.write()
    return rig
  }

  /// A rig with a key that its provider returned.
  private static func provided(lifeMS: Int64? = nil, weatherHost: String? = nil) throws -> ManualRig {
    let rig = launched(weatherHost: weatherHost)
    try rig.provide("first-token", lifeMS: lifeMS)
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    return rig
  }

  // MARK: The first key

  @Test func nothingIsSentBeforeTheFirstKey() throws {
    let rig = Self.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.calls == ["1: missing"])
    #expect(rig.sent.isEmpty && !rig.state.isOnline)
    try rig.provide("first-token")
    #expect(rig.state.isOnline && rig.sent.count == 1)
    #expect(rig.keys == ["first-token"])
    #expect(rig.calls == ["1: missing"])
  }

  @Test func aTokenOfTheWeatherIsNoKey() throws {
    let rig = Self.launched(weatherHost: "weather.example")
    rig.turn { $0.set(CredentialsChange(weatherToken: .some("weather-token"))) }
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.sent.isEmpty && !rig.state.isOnline)
    try rig.provide("first-token")
    #expect(rig.state.isOnline && rig.sent.count == 1)
  }

  /// Without waiting for the provider.
  @Test func aTurnThatBringsAKeyAndTheLinkSendsAtOnce() {
    let rig = Self.launched()
    rig.turn { app in
      app.setOnline(false)
      app.set(DriverRig.query())
    }
    rig.write()
    rig.turn { app in
      app.setOnline(true)
      app.set(CredentialsChange(apiKey: .some("own-key")))
    }
    rig.write()
    #expect(rig.state.isOnline && rig.sent.count == 1 && rig.keys == ["own-key"])
  }

  @Test func theKeyOfTheConfigurationIsUsedWithoutACall() {
    let rig = Self.launched(key: "first-key")
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.calls == [] && rig.sent.count == 1)
  }

  @Test func afterAFailureRequestsGoWithoutAKey() throws {
    let rig = Self.launched()
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    rig.feed(.credential(1, .failed("URLError")))
    rig.write()
    #expect(rig.providerNews == ["failed - credentials"])
    #expect(rig.state.isOnline && rig.sent.count == 1 && rig.keys == [])
    #expect(rig.calls == ["1: missing"], "the next call waits")
    rig.wait(forCalls: 2)
    #expect(rig.calls == ["1: missing", "2: missing"])
    #expect(rig.now - Rig.start >= 1000)
  }

  @Test func aCallThatHangsIsGivenUpAndTold() throws {
    let rig = Self.launched()
    rig.pass(to: Rig.start + 29_999)
    #expect(rig.providerNews == [])
    rig.pass(to: Rig.start + 30_000)
    #expect(rig.names.contains("cancel credential 1"))
    #expect(rig.providerNews == ["failed - credentials"])
    #expect(rig.state.isOnline)
    // Its answer still counts, as late as it is.
    try rig.provide("late-token", of: 1)
    #expect(rig.providerNews == ["failed - credentials", "recovered -"])
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.keys == ["late-token"])
  }

  @Test func noMoreThanThreeCallsHang() {
    let rig = Self.launched()
    for _ in 0..<40 {
      rig.fire()
      rig.write()
    }
    #expect(rig.calls.count == 3)
    #expect(rig.providerNews == ["failed - credentials"])
    rig.feed(.credential(2, .failed("CancellationError")))
    rig.wait(forCalls: 4)
    #expect(rig.calls.count == 4)
  }

  @Test func theDelaysGrowToFiveMinutes() throws {
    let rig = Self.launched()
    var delays: [Int64] = []
    for number in Int64(1)...14 {
      let failed = rig.now
      rig.feed(.credential(number, .failed("URLError")))
      rig.write()
      rig.wait(forCalls: Int(number) + 1)
      delays.append(rig.now - failed)
    }
    #expect(zip(delays, 1...).allSatisfy { $0 >= Backoff.longestDelayMS(count: $1) / 2 }, "\(delays)")
    #expect(delays.allSatisfy { $0 <= 300_000 })
    #expect(rig.providerNews == ["failed - credentials"])
  }

  // MARK: Expiry

  @Test func theNextKeyIsRequestedTwoMinutesBeforeTheExpiry() throws {
    let rig = try Self.provided(lifeMS: 3_600_000)
    rig.forget()
    rig.pass(to: Rig.start + 3_479_000)
    #expect(rig.calls == [])
    rig.pass(to: Rig.start + 3_480_000)
    #expect(rig.calls == ["2: expiring"])
    try rig.provide("second-token", lifeMS: 3_600_000)
    #expect(rig.providerNews == [])
    rig.forget()
    rig.pass(to: rig.now + 3_400_000)
    #expect(rig.calls == [])
  }

  @Test func aKeyThatHasExpiredByAWrongClockIsUsed() throws {
    let rig = Self.launched()
    try rig.provide("first-token", lifeMS: -7_200_000)
    rig.turn { $0.set(DriverRig.query()) }
    rig.write()
    #expect(rig.keys == ["first-token"] && rig.calls == ["1: missing"])
  }

  @Test func keysThatExpireAtOnceAreRequestedTwiceAMinute() throws {
    let rig = try Self.provided(lifeMS: 1000)
    for number in Int64(2)...12 {
      let before = rig.now
      rig.wait(forCalls: Int(number))
      #expect(rig.now - before >= 30_000 || number == 2)
      try rig.provide("token-\(number)", lifeMS: 1000, of: number)
    }
  }

  @Test func afterASleepNothingIsDueBeforeTheNextKey() throws {
    let rig = try Self.provided(lifeMS: 600_000)
    for request in rig.sent { rig.answer(200, ObservationsAnswer(token: rig.now / 1000).json, to: request) }
    rig.write()
    rig.forget()
    rig.now += 7_200_000
    rig.feed(.timerFired)
    rig.write()
    #expect(rig.calls == ["2: expiring"])
    #expect(rig.sent.isEmpty)
    try rig.provide("second-token")
    rig.fire()
    rig.write()
    #expect(!rig.sent.isEmpty && rig.keys == ["second-token"])
  }

  @Test func anExpiredKeyIsRenewedBeforeTheLinkIsUsedAgain() throws {
    let rig = try Self.provided(lifeMS: 600_000)
    for request in rig.sent { rig.answer(200, ObservationsAnswer(token: rig.now / 1000).json, to: request) }
    rig.turn { $0.setOnline(false) }
    rig.write()
    rig.now += 7_200_000
    rig.feed(.timerFired)
    rig.write()
    rig.forget()
    rig.turn { $0.setOnline(true) }
    rig.write()
    #expect(rig.calls == ["2: expiring"] && !rig.state.isOnline)
    try rig.provide("second-token")
    #expect(rig.state.isOnline)
    rig.fire()
    rig.write()
    #expect(rig.keys == ["second-token"])
  }

  @Test func offlineAndInTheBackgroundNobodyIsCalled() throws {
    let rig = try Self.provided(lifeMS: 600_000)
    rig.turn { $0.setOnline(false) }
    rig.write()
    rig.forget()
    rig.pass(to: rig.now + 7_200_000)
    #expect(rig.calls == [])
    _ = rig.add { .background($0) }
    rig.turn { $0.setOnline(true) }
    rig.write()
    #expect(rig.calls == [])
    rig.add(.foreground)
    rig.write()
    #expect(rig.calls == ["2: expiring"])
  }

  // MARK: Refusals

  @Test func refusalsOfManyRequestsAreOneCall() throws {
    let rig = try Self.provided()
    rig.pass(to: rig.now + 40_000)
    let requests = rig.sent
    rig.forget()
    for request in requests { rig.answer(401, to: request) }
    rig.write()
    #expect(rig.calls == ["2: refused"])
    try rig.provide("second-token")
    #expect(rig.keys == ["second-token"])
    #expect(Set(rig.sent.map(\.scope)) == Set(requests.map(\.scope)))
    #expect(rig.calls == ["2: refused"])
  }

  @Test func keysThatAreRefusedAtOnceAreRequestedWithGrowingDelays() throws {
    let rig = try Self.provided()
    var delays: [Int64] = []
    for number in Int64(2)...14 {
      let refused = rig.now
      let open = rig.sent
      rig.forget()
      for request in open { rig.answer(401, to: request) }
      rig.write()
      rig.wait(forCalls: 1)
      delays.append(rig.now - refused)
      try rig.provide("token-\(number)", of: number)
    }
    #expect(zip(delays, 1...).allSatisfy { $0 >= Backoff.longestDelayMS(count: $1) / 2 }, "\(delays)")
  }

  @Test func theRefusedKeyAgainIsAFailure() throws {
    let rig = try Self.provided()
    rig.pass(to: rig.now + 40_000)
    let requests = rig.sent
    rig.forget()
    rig.answer(401, to: requests[0])
    rig.write()
    let seq = rig.seq
    rig.feed(.credential(2, .provided(ProvidedCredential("first-token"))))
    rig.write()
    #expect(rig.told.contains("failed - credentials"))
    #expect(rig.seq == seq, "the log has no line for it")
  }

  @Test func aKeyThatNoFieldCanCarryIsAFailure() {
    for secret in ["", "a\r\nX: y", "ключ", String(repeating: "a", count: 8193)] {
      let rig = Self.launched()
      rig.feed(.credential(1, .provided(ProvidedCredential(secret))))
      rig.write()
      #expect(rig.providerNews == ["failed - credentials"])
    }
  }

  @Test func theKeyOfTheApplicationReplacesThatOfTheProvider() throws {
    let rig = try Self.provided(lifeMS: 600_000)
    rig.turn { $0.set(CredentialsChange(apiKey: .some("own-key"))) }
    rig.write()
    rig.forget()
    rig.pass(to: rig.now + 3_600_000)
    #expect(rig.calls == [], "nothing is known of its expiry")
    #expect(rig.keys.allSatisfy { $0 == "own-key" })
  }

  @Test func aKeyThatIsSetWhileAnotherIsRefusedNeedsNoCall() throws {
    let rig = try Self.provided()
    rig.pass(to: rig.now + 40_000)
    let request = try rig.request(.corridor)
    rig.forget()
    rig.answer(401, to: request)
    rig.turn { $0.set(CredentialsChange(apiKey: .some("own-key"))) }
    rig.write()
    #expect(rig.calls == [])
  }

  @Test func aWeatherServiceOfItsOwnRefusesAnotherToken() throws {
    let rig = try Self.provided(weatherHost: "weather.example")
    rig.turn { app in
      var query = DriverRig.query()
      query.weather.places = [Rig.place]
      app.set(query)
    }
    rig.write()
    rig.pass(to: rig.now + 40_000)
    let request = try #require(rig.sent.last { $0.scope.weatherPlace != nil })
    rig.forget()
    rig.answer(401, to: request)
    rig.write()
    #expect(rig.calls == [])
  }

  @Test func aRefusalOfTheAirportsCountsToo() throws {
    let rig = try Self.provided()
    rig.pass(to: rig.now + 40_000)
    rig.forget()
    rig.add(.keyRefused("another-token"))
    rig.write()
    #expect(rig.calls == [])
    rig.add(.keyRefused("first-token"))
    rig.write()
    #expect(rig.calls == ["2: refused"])
  }

  @Test func theFailureOfTheProviderDoesNotCloseTheLog() throws {
    let rig = Self.launched()
    rig.feed(.credential(1, .failed("URLError")))
    rig.write()
    #expect(rig.app.openingError == nil && rig.app.shown.isOpen)
  }

  @Test func noTextShowsAKey() {
    let credential = ProvidedCredential("first-token", expiresAtMS: 1)
    let texts = [
      "\(credential)", String(reflecting: credential), "\(CredentialAnswer.provided(credential))",
      "\(DriverEvent.credential(1, .provided(credential)))",
      "\(DriverAction.useCredentials(.init(apiKey: "first-token")))",
    ]
    #expect(texts.filter { $0.contains("first-token") } == [])
  }
}

extension ManualRig {
  /// The calls of the provider, with their reasons.
  var calls: [String] {
    actions.compactMap { if case .requestCredential(let number, let need) = $0 { "\(number): \(need)" } else { nil } }
  }

  /// What the application is told of the provider.
  var providerNews: [String] { told.filter { $0 == "failed - credentials" || $0 == "recovered -" } }

  /// The keys of the requests that were sent, each once in a row.
  var keys: [String] {
    var keys: [String] = []
    for case .send(_, let credentials) in actions {
      if let key = credentials.apiKey, key != keys.last { keys.append(key) }
    }
    return keys
  }

  /// Returns a key for a call, or for the last one.
  func provide(_ secret: String, lifeMS: Int64? = nil, of number: Int64? = nil) throws {
    let last = calls.last?.prefix { $0 != ":" }
    let number = try #require(number ?? last.flatMap { Int64($0) })
    feed(.credential(number, .provided(ProvidedCredential(secret, expiresAtMS: lifeMS.map { now + $0 }))))
    write()
  }

  /// Lets time go by until the provider was called so often.
  func wait(forCalls count: Int) {
    for _ in 0..<200 where calls.count < count {
      fire()
      write()
    }
  }

  /// Lets time go by, with all that is due in it.
  func pass(to end: Int64) {
    while let timer, timer <= end {
      fire()
      write()
    }
    now = max(now, end)
  }
}
