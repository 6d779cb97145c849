public import Foundation

extension WeatherResponse {
  /// Decodes an answer of the service.
  ///
  /// - Throws: ``WeatherError`` with `refused` where the service says that it won't answer
  ///   (`{"status":"failed","error":…}`), else `malformed` with the path of what is wrong.
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
      throw WeatherError(.malformed, status: status, reason: "it can't be decoded (\(type(of: error)))")
    }
  }

  /// The answer as the service would write it, with its keys in order.
  ///
  /// - Throws: ``WeatherError/Code/malformed`` where a number isn't finite: JSON has no such numbers.
  public func json() throws(WeatherError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch let EncodingError.invalidValue(_, context) {
      throw WeatherError(.malformed, at: context.codingPath.path, reason: "the value can't be written as JSON")
    } catch {
      throw WeatherError(.malformed, reason: "it can't be encoded (\(type(of: error)))")
    }
  }

  /// What the service says instead of an answer; nil where it doesn't say that it won't answer.
  static func refusal(in data: Data, status: Int?) -> WeatherError? {
    struct Head: Decodable {
      let status: String
      let error: String?
    }
    guard let head = try? JSONDecoder().decode(Head.self, from: data), head.status != "ok" else { return nil }
    let said = head.error ?? head.status
    return WeatherError(.refused, status: status, reason: "the service says \"\(said.prefix(200))\"")
  }
}

extension WeatherError {
  fileprivate init(malformed error: DecodingError, status: Int?) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(.malformed, at: (context.codingPath + [key]).path, status: status, reason: "it is missing")
    case .typeMismatch(let type, let context):
      self.init(.malformed, at: context.codingPath.path, status: status, reason: "it isn't of type \(type)")
    case .valueNotFound(let type, let context):
      self.init(.malformed, at: context.codingPath.path, status: status, reason: "it is null, not of type \(type)")
    case .dataCorrupted(let context):
      let reason = context.codingPath.isEmpty ? "it isn't JSON" : context.debugDescription
      self.init(.malformed, at: context.codingPath.path, status: status, reason: reason)
    @unknown default:
      self.init(.malformed, status: status, reason: "it can't be decoded")
    }
  }
}

extension [any CodingKey] {
  /// Such as `result.hourly.temperature[3].value`; nil at the root.
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
