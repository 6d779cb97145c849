package import ContrailCore

/// The result of a weather request that the application made on its own, to log.
package struct WeatherEntry: Hashable, Sendable {
  /// The answer, or the failure.
  package enum LookupResult: Hashable, Sendable {
    case answered(status: Int, wireBytes: Int64, body: [UInt8])
    case failed(TransportFailure)
  }

  package var lookup: WeatherLookup
  package var result: LookupResult

  package init(_ lookup: WeatherLookup, _ result: LookupResult) {
    self.lookup = lookup
    self.result = result
  }

  /// Returns the entry with the secrets in its body masked.
  package func masking(_ credentials: Credentials) -> WeatherEntry {
    guard case .answered(let status, let wireBytes, let body) = result else { return self }
    let filter = SecretFilter(credentials)
    return WeatherEntry(
      lookup, .answered(status: status, wireBytes: wireBytes, body: filter.isEmpty ? body : filter.filtered(body)))
  }

  /// Returns the input, and the bytes of its blob, if any.
  func input() -> (input: Input, blob: [UInt8]?) {
    switch result {
    case .answered(let status, let wireBytes, let bytes):
      let body = Input.Body(placing: bytes)
      return (.weatherReceived(.init(lookup: lookup, status: status, wireBytes: wireBytes, body: body)), body.blob)
    case .failed(let failure): return (.weatherFailed(lookup, failure: failure), nil)
    }
  }
}
