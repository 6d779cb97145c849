import ContrailGeodesy
public import Foundation

extension WeatherRequest {
  /// Gets the weather: what is stored while ``CachingRule`` lets it, else the service's, which is then stored.
  ///
  /// - Throws: ``WeatherError``. Where the service could not be had and an expired answer is stored, the error says how
  ///   old that is (``WeatherError/storedAgeSeconds``); `perform(from: .local)` gives it.
  public func perform() async throws(WeatherError) -> WeatherAnswer {
    let settings = settings
    let clock = clock
    let place = try WeatherPlace(settings.endpoint.coordinate)
    let stored = try await run(on: settings.queue) { () throws(WeatherError) in
      // A file that can't be read is no reason not to ask the service.
      CachingRule.Stored((try? WeatherStore(directory: settings.localContentURL).read(place)) ?? nil)
    }
    let now = clock.now()
    let verdict = CachingRule.verdict(
      stored: stored, place: place, now: now, expirationSeconds: settings.expirationSeconds)
    if case .local(let age) = verdict, case .response(let response) = stored {
      return WeatherAnswer(
        response: response, source: .local, ageSeconds: age, isExpired: false, storingError: nil)
    }
    do {
      return try await performRemotely(settings)
    } catch {
      var error = error
      if case .response(let response) = stored, response.isFor(place) {
        error.storedAgeSeconds = response.ageSeconds(at: now)
      }
      throw error
    }
  }

  /// Gets the weather from where the caller says.
  ///
  /// What is stored is given however old it is (``WeatherAnswer/isExpired``); what the service answers is stored.
  ///
  /// - Throws: ``WeatherError``.
  public func perform(from dataSource: DataSource) async throws(WeatherError) -> WeatherAnswer {
    switch dataSource {
    case .remote: return try await performRemotely(settings)
    case .local: return try await performLocally(settings)
    }
  }

  /// Gets the bytes of an answer, neither decoded nor stored.
  ///
  /// - Throws: ``WeatherError``.
  public func fetchData(from dataSource: DataSource) async throws(WeatherError) -> Data {
    let settings = settings
    switch dataSource {
    case .remote: return try await fetchRemotely(settings).body
    case .local:
      return try await run(on: settings.queue) { () throws(WeatherError) in try Self.readData(settings).data }
    }
  }

  /// The bytes of an example answer that this library makes itself (``ExampleAnswer``).
  ///
  /// - Throws: Nothing in practice; ``WeatherError`` in form.
  public func fetchExampleData() async throws(WeatherError) -> Data {
    try await run(on: settings.queue) { () throws(WeatherError) in try ExampleAnswer.response().json() }
  }

  /// Decodes an answer.
  ///
  /// - Throws: ``WeatherError`` with `refused` where the service says that it won't answer, else `malformed`. No text
  ///   holds this request's token.
  public func decode(_ data: Data) throws(WeatherError) -> WeatherResponse {
    try Self.decode(data, status: nil, settings.endpoint)
  }

  // MARK: - Parts

  private func performLocally(_ settings: Settings) async throws(WeatherError) -> WeatherAnswer {
    let clock = clock
    return try await run(on: settings.queue) { () throws(WeatherError) in
      let (place, data) = try Self.readData(settings)
      let response = try Self.decode(data, status: nil, settings.endpoint)
      guard response.isFor(place) else {
        throw WeatherError(
          .storedForAnotherPlace, at: place.key, reason: "what the file holds doesn't say that it is for this place")
      }
      let age = response.ageSeconds(at: clock.now())
      return WeatherAnswer(
        response: response, source: .local, ageSeconds: age,
        isExpired: age.map { abs($0) >= settings.expirationSeconds } ?? true, storingError: nil)
    }
  }

  private static func readData(_ settings: Settings) throws(WeatherError) -> (place: WeatherPlace, data: Data) {
    let place = try WeatherPlace(settings.endpoint.coordinate)
    guard let data = try WeatherStore(directory: settings.localContentURL).read(place) else {
      throw WeatherError(.nothingStored, at: place.key, reason: "there is no file of that name")
    }
    return (place, data)
  }

  private func performRemotely(_ settings: Settings) async throws(WeatherError) -> WeatherAnswer {
    let place = try WeatherPlace(settings.endpoint.coordinate)
    let answer = try await fetchRemotely(settings)
    let clock = clock
    return try await run(on: settings.queue) { () throws(WeatherError) in
      let response = try Self.decode(answer.body, status: answer.status, settings.endpoint)
      return WeatherAnswer(
        response: response, source: .remote, ageSeconds: response.ageSeconds(at: clock.now()), isExpired: false,
        storingError: Self.store(answer.body, for: place, settings))
    }
  }

  /// Stores an answer; an answer that can't be stored is an answer all the same.
  private static func store(_ data: Data, for place: WeatherPlace, _ settings: Settings) -> WeatherError? {
    guard !Secret(settings.endpoint.token).isIn(data) else {
      return WeatherError(.notStored, at: place.key, reason: "the answer holds the token")
    }
    do {
      try WeatherStore(directory: settings.localContentURL).write(data, for: place)
      return nil
    } catch {
      return error
    }
  }

  private func fetchRemotely(_ settings: Settings) async throws(WeatherError) -> WeatherTransportAnswer {
    let url = try settings.endpoint.makeURL()
    let answer: WeatherTransportAnswer
    do {
      answer = try await transport.get(url)
    } catch let error as WeatherError {
      throw error.hiding(Secret(settings.endpoint.token))
    } catch is CancellationError {
      throw WeatherError(.cancelled, reason: "the request was given up")
    } catch {
      throw WeatherError(.unreachable, reason: "the transport threw \(type(of: error))")
    }
    guard (200..<300).contains(answer.status) else {
      if let refusal = WeatherResponse.refusal(in: answer.body, status: answer.status) {
        throw refusal.hiding(Secret(settings.endpoint.token))
      }
      let isRedirect = (300..<400).contains(answer.status)
      throw WeatherError(
        .httpStatus, status: answer.status,
        reason: isRedirect ? "the service redirects, and redirects are not followed" : "the service gives no reason")
    }
    return answer
  }

  private static func decode(
    _ data: Data, status: Int?, _ endpoint: WeatherEndpoint
  ) throws(WeatherError) -> WeatherResponse {
    do {
      return try WeatherResponse(json: data, status: status)
    } catch {
      throw error.hiding(Secret(endpoint.token))
    }
  }

  /// Does a piece of work on a queue.
  func run<Value: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable () throws(WeatherError) -> Value
  ) async throws(WeatherError) -> Value {
    let result: Result<Value, WeatherError> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
  }
}

extension WeatherError {
  /// The same error without the token.
  func hiding(_ secret: Secret) -> WeatherError {
    WeatherError(
      code, at: field.map(secret.hidden), status: status, reason: secret.hidden(in: reason),
      storedAgeSeconds: storedAgeSeconds)
  }
}
