import ContrailGeodesy
import ContrailWire
public import Foundation

extension WeatherRequest {
  /// Returns the weather: the stored response if ``CachingRule`` allows it, otherwise the service's, which is then
  /// stored.
  ///
  /// - Throws: ``WeatherError``, also if the service's response is for another place. If the request fails and an expired response is stored, the error contains its age
  ///   (``WeatherError/storedAgeSeconds``), and `perform(from: .local)` returns it.
  public func perform() async throws(WeatherError) -> WeatherAnswer {
    let settings = settings
    let clock = clock
    let place = try RoundedCoordinate(settings.endpoint.coordinate)
    let stored = try await run(on: settings.queue) { () throws(WeatherError) in
      // If the file can't be read, query the service.
      CachingRule.Stored((try? WeatherStore(directory: settings.localContentURL).read(place)) ?? nil)
    }
    let now = clock.now()
    if case .response(let response) = stored {
      // The service may not have the requested form, such as so many hours. It isn't queried again for that.
      let requested = isStored(response, for: settings.endpoint) ? nil : settings.endpoint
      let verdict = CachingRule.verdict(
        stored: stored, place: place, now: now, expirationSeconds: settings.expirationSeconds, requested: requested)
      if case .local(let age) = verdict {
        return WeatherAnswer(
          response: response, source: .local, ageSeconds: age, isExpired: false,
          differences: response.differences(from: settings.endpoint), storingError: nil)
      }
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

  /// Returns the weather from the given source.
  ///
  /// A stored response is returned regardless of its age (``WeatherAnswer/isExpired``) and form
  /// (``WeatherAnswer/differences``). A response of the service is stored.
  ///
  /// - Throws: ``WeatherError``.
  public func perform(from dataSource: DataSource) async throws(WeatherError) -> WeatherAnswer {
    switch dataSource {
    case .remote: return try await performRemotely(settings)
    case .local: return try await performLocally(settings)
    }
  }

  /// Returns the bytes of a response, without decoding or storing it.
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

  /// Returns the bytes of an example response for Jincheng, China, on 14 April 2021 (``ExampleAnswer``).
  ///
  /// - Throws: ``WeatherError``, but not in practice.
  public func fetchExampleData() async throws(WeatherError) -> Data {
    try await run(on: settings.queue) { () throws(WeatherError) in try ExampleAnswer.response().json() }
  }

  /// Decodes a response.
  ///
  /// - Throws: ``WeatherError`` with `refused` if the service refused the request, otherwise `malformed`. Its texts
  ///   don't contain this request's token.
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
          .storedForAnotherPlace, at: place.key, reason: "the stored response isn't for this place")
      }
      let age = response.ageSeconds(at: clock.now())
      return WeatherAnswer(
        response: response, source: .local, ageSeconds: age,
        isExpired: age.map { abs($0) >= settings.expirationSeconds } ?? true,
        differences: response.differences(from: settings.endpoint), storingError: nil)
    }
  }

  private static func readData(_ settings: Settings) throws(WeatherError) -> (place: RoundedCoordinate, data: Data) {
    let place = try RoundedCoordinate(settings.endpoint.coordinate)
    guard let data = try WeatherStore(directory: settings.localContentURL).read(place) else {
      throw WeatherError(.nothingStored, at: place.key, reason: "no response is stored for this place")
    }
    return (place, data)
  }

  private func performRemotely(_ settings: Settings) async throws(WeatherError) -> WeatherAnswer {
    let place = try RoundedCoordinate(settings.endpoint.coordinate)
    let answer = try await fetchRemotely(settings)
    let clock = clock
    return try await run(on: settings.queue) { () throws(WeatherError) in
      let response = try Self.decode(answer.body, status: answer.status, settings.endpoint)
      try response.checkPlace(place)
      let storingError = Self.store(answer.body, for: place, settings)
      if storingError == nil { self.noteStored(response, for: settings.endpoint) }
      return WeatherAnswer(
        response: response, source: .remote, ageSeconds: response.ageSeconds(at: clock.now()), isExpired: false,
        differences: response.differences(from: settings.endpoint), storingError: storingError)
    }
  }

  /// Stores a response and returns the error, if any. A failure doesn't affect the result of the request.
  private static func store(_ data: Data, for place: RoundedCoordinate, _ settings: Settings) -> WeatherError? {
    guard !Secret(settings.endpoint.token).isIn(data) else {
      return WeatherError(.notStored, at: place.key, reason: "the response contains the token")
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
      throw WeatherError(.cancelled, reason: "the request was cancelled")
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
        reason: isRedirect
          ? "the service responded with a redirect, which isn't followed" : "the service gave no reason")
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

  /// Runs work on a queue.
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
  /// Returns the same error without the token.
  func hiding(_ secret: Secret) -> WeatherError {
    WeatherError(
      code, at: field.map(secret.hidden), status: status, reason: secret.hidden(in: reason),
      storedAgeSeconds: storedAgeSeconds)
  }
}
