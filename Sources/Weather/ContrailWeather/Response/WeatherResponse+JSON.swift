public import Foundation

extension WeatherResponse {
  /// Creates a response from JSON.
  ///
  /// - Throws: ``WeatherError`` with `refused` if the service refused the request (`{"status":"failed","error":…}`),
  ///   otherwise `malformed` with the path of the invalid value.
  public init(json data: Data) throws(WeatherError) {
    try self.init(json: data, status: nil)
  }

  init(json data: Data, status: Int?) throws(WeatherError) {
    if let refusal = Self.refusal(in: data, status: status) { throw refusal }
    do {
      self = try JSONDecoder().decode(WeatherResponse.self, from: data)
    } catch let error as DecodingError {
      throw WeatherError(malformed: error, status: status)
    } catch {
      throw WeatherError(.malformed, status: status, reason: "the response can't be decoded (\(type(of: error)))")
    }
  }

  /// Returns the response as JSON in the service's format, with sorted keys.
  ///
  /// - Throws: ``WeatherError/Code/malformed`` if a number isn't finite, because JSON can't represent it.
  public func json() throws(WeatherError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch let EncodingError.invalidValue(_, context) {
      throw WeatherError(.malformed, at: context.codingPath.path, reason: "the value can't be encoded as JSON")
    } catch {
      throw WeatherError(.malformed, reason: "the response can't be encoded (\(type(of: error)))")
    }
  }

  /// Returns the refusal in a response; nil if there is none.
  static func refusal(in data: Data, status: Int?) -> WeatherError? {
    struct Head: Decodable {
      let status: String
      let error: String?
    }
    guard let head = try? JSONDecoder().decode(Head.self, from: data), head.status != "ok" else { return nil }
    let said = head.error ?? head.status
    return WeatherError(.refused, status: status, reason: "the service responded \"\(said.prefix(200))\"")
  }
}

extension WeatherError {
  fileprivate init(malformed error: DecodingError, status: Int?) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(.malformed, at: (context.codingPath + [key]).path, status: status, reason: "the value is missing")
    case .typeMismatch(let type, let context):
      self.init(.malformed, at: context.codingPath.path, status: status, reason: "the value isn't of type \(type)")
    case .valueNotFound(let type, let context):
      self.init(
        .malformed, at: context.codingPath.path, status: status, reason: "the value is null, expected type \(type)")
    case .dataCorrupted(let context):
      let reason = context.codingPath.isEmpty ? "the response isn't valid JSON" : context.debugDescription
      self.init(.malformed, at: context.codingPath.path, status: status, reason: reason)
    @unknown default:
      self.init(.malformed, status: status, reason: "the response can't be decoded")
    }
  }
}

extension [any CodingKey] {
  /// The path as text, such as `result.hourly.temperature[3].value`; nil at the root.
  fileprivate var path: String? {
    guard !isEmpty else { return nil }
    return reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}
